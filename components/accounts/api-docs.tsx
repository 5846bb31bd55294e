import { usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { hasPlans } from '#domain/plans/offer.ts'

export type ApiField = {
  name: string
  type: string
  required: boolean
  description?: string | undefined
}
export type ApiCall = {
  id: string
  method: string
  path: string
  summary: string
  access: string
  parameters: ApiField[]
  body: { type: string; fields: ApiField[] } | undefined
  answers: { status: string; description: string; type: string | undefined }[]
  curl: string
}
export type ApiObject = { name: string; fields: ApiField[] }
export type ApiGuide = {
  server: string
  groups: { id: string; name: string; description: string; calls: ApiCall[] }[]
  webhooks: { event: string; summary: string; fields: ApiField[] }[]
  objects: ApiObject[]
}

/** Every call of the API, to be read by people; complete without script. */
export function ApiDocs({ guide: { server, groups, webhooks, objects } }: { guide: ApiGuide }) {
  return (
    <main className="text-page stack">
      <Logo href="/" />
      <article className="sheet">
        <h1>{`${productName(usePageBrand().brand)} API`}</h1>
        <Introduction server={server} />
        <nav aria-label="Subjects">
          <ul className="api-contents">
            {groups.map(({ id, name }) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
            <li>
              <a href="#webhooks">Webhooks</a>
            </li>
            <li>
              <a href="#objects">Objects</a>
            </li>
          </ul>
        </nav>
      </article>
      {groups.map(({ id, name, description, calls }) => (
        <section key={id} className="sheet" aria-labelledby={id}>
          <h2 id={id}>{name}</h2>
          <p>{description}</p>
          {calls.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </section>
      ))}
      <section className="sheet" aria-labelledby="webhooks">
        <h2 id="webhooks">Webhooks</h2>
        <p>
          The server posts these events to the address in <b>Settings → Notifications</b>, signed as{' '}
          <a href="https://www.standardwebhooks.com">Standard Webhooks</a> say.
        </p>
        {webhooks.map(({ event, summary, fields }) => (
          <section key={event} className="api-call" aria-labelledby={`webhook-${event}`}>
            <h3 id={`webhook-${event}`}>{summary}</h3>
            <Fields fields={fields.map(unmarked)} />
          </section>
        ))}
      </section>
      <section className="sheet" aria-labelledby="objects">
        <h2 id="objects">Objects</h2>
        <p>What the answers above name.</p>
        {objects.map(({ name, fields }) => (
          <section key={name} className="api-call" aria-labelledby={`object-${name}`}>
            <h3 id={`object-${name}`}>{name}</h3>
            <Fields fields={fields.map(unmarked)} />
          </section>
        ))}
      </section>
    </main>
  )
}

function Introduction({ server }: { server: string }) {
  return (
    <>
      <p>
        JSON in, JSON out, under <code className="any-break">{`${server}/api`}</code>. A session’s
        token or an API key goes into the header <code>Authorization: Bearer …</code>; keys are made
        under <b>Settings → API keys</b>
        {hasPlans() && ', on the Enterprise plan'}.
      </p>
      <p>
        A refusal is <code>{'{ "detail": "a sentence for people" }'}</code>. Any call may answer
        429, and then says in <code>retry_after</code> and the header <code>Retry-After</code> for
        how many seconds to wait.
      </p>
      <p>
        The same as a document for programs (OpenAPI 3.1):{' '}
        <a href="/api/openapi.json">openapi.json</a>
      </p>
    </>
  )
}

function Call({ call }: { call: ApiCall }) {
  const { id, method, path, summary, access, parameters, body, answers, curl } = call
  return (
    <section className="api-call" aria-labelledby={id}>
      <h3 id={id}>{summary}</h3>
      <p>
        <code className="any-break">
          <b>{method}</b> {path}
        </code>
      </p>
      <p className="small soft">{`For: ${access}`}</p>
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <Fields fields={parameters} />
        </>
      )}
      {body && (
        <>
          <h4>{body.type === 'application/json' ? 'Payload' : 'Form'}</h4>
          <Fields fields={body.fields} />
        </>
      )}
      <h4>Answers</h4>
      <ul className="api-fields">
        {answers.map(({ status, description, type }) => (
          <li key={status}>
            <b>{status}</b> {description} {type && <code className="any-break">{type}</code>}
          </li>
        ))}
      </ul>
      <h4>Example</h4>
      <pre>
        <code>{curl}</code>
      </pre>
    </section>
  )
}

/** An answer has all its fields, so that none needs a mark. */
function unmarked(field: ApiField): ApiField {
  return { ...field, required: false }
}

function Fields({ fields }: { fields: ApiField[] }) {
  return (
    <ul className="api-fields">
      {fields.map(({ name, type, required, description }) => (
        <li key={name}>
          <b>{name}</b> <code className="any-break">{type}</code>
          {required && ' required'}
          {description && <span className="soft">{` ${description}`}</span>}
        </li>
      ))}
    </ul>
  )
}
