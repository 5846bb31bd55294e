import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { CopyLine } from '#components/forms/copy.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { formatCount } from '#domain/number.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'

export type DomainView = {
  domain: string
  txt_name: string
  file_url: string
  proof: string
  /** when the proof was last looked for, as it is shown */
  asked: string | undefined
  /** the day of the verification, as it is shown */
  verified: string | undefined
  /** when it ends because its proof is missing, as it is shown */
  ends: string | undefined
  /** whether a new password took it out of new links */
  isUnconfirmed: boolean
  printed: number
}

type DomainPageProps = {
  view: DomainView | undefined
  /** where the dashboard is */
  host: string
  typed: string
  problem: string | undefined
  /** whether the plan has an address now */
  isAwake: boolean
}

/** The address of an account's own: naming it, showing that it is theirs, and pointing it here. */
export function DomainPage({ view, host, typed, problem, isAwake }: DomainPageProps) {
  if (view?.verified) return <Verified view={view} host={host} isAwake={isAwake} />
  return (
    <>
      <section className="sheet">
        <ol className="steps">
          <li>
            <NameForm view={view} typed={typed} problem={problem} />
          </li>
          {view && (
            <>
              <li>
                <ProofStep view={view} />
              </li>
              <li>
                <PointStep domain={view.domain} host={host} />
              </li>
            </>
          )}
        </ol>
      </section>
      <Consequences domain={view?.domain ?? 'keys.example.in'} host={host} />
    </>
  )
}

function NameForm({ view, typed, problem }: Omit<DomainPageProps, 'host' | 'isAwake'>) {
  return (
    <form
      className="stack gap-3"
      method="post"
      action={settingsAction('branding', '/domain')}
      noValidate
      data-enhance
      data-quiet
      data-failed="The address could not be saved"
    >
      <TextField
        label="Name the address"
        hint="A domain of yours, like keys.example.in"
        id="domain"
        name="domain"
        defaultValue={typed}
        error={problem}
        maxLength={260}
        autoCapitalize="off"
        spellCheck={false}
        dir="ltr"
      />
      <div className="save">
        <button className={view ? 'btn' : 'btn btn-main'} type="submit" id="name-it">
          {view ? 'Change' : 'Continue'}
        </button>
      </div>
    </form>
  )
}

function ProofStep({ view }: { view: DomainView }) {
  const { txt_name, file_url, proof, asked } = view
  return (
    <form
      className="stack gap-2"
      method="post"
      action={settingsAction('branding', '/domain/verify')}
      data-enhance
      data-failed="The proof could not be looked for"
    >
      <div className="row between">
        <b>Show that it is yours</b>
        {asked && (
          <Badge tone="warn" dot="full">
            Not found yet
          </Badge>
        )}
      </div>
      {asked && <p className="small soft">{`Asked at ${asked}`}</p>}
      <p className="soft">Put this into the DNS as a TXT record.</p>
      <CopyLine name="Name" text={txt_name} />
      <CopyLine name="Text" text={proof} />
      <details className="fold">
        <summary>Or serve the text as a file</summary>
        <CopyLine name="Address" text={file_url} />
      </details>
      <div className="save">
        <button className="btn btn-main" type="submit" id="verify" data-busy="Looking...">
          <Icon name="check" />
          Verify
        </button>
        <span className="small soft">A new record can take an hour to arrive.</span>
      </div>
    </form>
  )
}

function PointStep({ domain, host }: { domain: string; host: string }) {
  return (
    <div className="stack gap-2">
      <b>Point it here</b>
      <p className="soft">
        A CNAME record, so that finders reach this server under your name. Ask the operator of this
        site if it is not answered.
      </p>
      <CopyLine name="Name" text={domain} />
      <CopyLine name="Target" text={host.replace(/:\d+$/, '')} />
    </div>
  )
}

function Verified(props: { view: DomainView; host: string; isAwake: boolean }) {
  const { view, host, isAwake } = props
  const { domain, verified } = view
  return (
    <>
      <section className="sheet">
        <div className="row between">
          <div>
            <h2 className="any-break" dir="ltr">
              {domain}
            </h2>
            <p className="small soft">{`Verified on ${verified}`}</p>
          </div>
          <a
            className="btn btn-sm btn-red"
            href={settingsHref('branding/domain', { remove: '1' })}
            data-dialog="remove"
          >
            <Icon name="trash" />
            Remove
          </a>
        </div>
        {isAwake && (view.ends || view.isUnconfirmed) && <ProveAgain view={view} />}
        {!isAwake && (
          <Note tone="warn">
            Your plan has no own address now. New codes carry the usual address; printed ones keep
            working.
          </Note>
        )}
        <PointStep domain={domain} host={host} />
      </section>
      {isAwake && <Consequences domain={domain} host={host} />}
    </>
  )
}

/** Asks for the proof of an address that new links leave out, or that will end. */
function ProveAgain({ view }: { view: DomainView }) {
  return (
    <form
      className="stack gap-3"
      method="post"
      action={settingsAction('branding', '/domain/verify')}
      data-enhance
      data-failed="The proof could not be looked for"
    >
      {view.isUnconfirmed && (
        <Note tone="warn">
          Your account has a new password. Links and prints leave this address out until you confirm
          that it is yours. If it is not, remove it.
        </Note>
      )}
      {view.ends && (
        <Note tone="warn">
          {`The proof of this address is missing. The address ends on ${view.ends}, and codes printed with it stop working then.`}
        </Note>
      )}
      <CopyLine name="Name" text={view.txt_name} />
      <CopyLine name="Text" text={view.proof} />
      <div className="save">
        <button className="btn btn-main" type="submit" id="verify" data-busy="Looking...">
          <Icon name="check" />
          {view.isUnconfirmed ? 'Confirm' : 'Look again'}
        </button>
      </div>
    </form>
  )
}

function Consequences({ domain, host }: { domain: string; host: string }) {
  return (
    <section className="sheet">
      <h2>What happens then</h2>
      <ul className="rows">
        <li>
          <Icon name="qr" />
          <span className="grow any-break">
            {'Codes that you make, download or print carry '}
            <code dir="ltr">{`https://${domain}/scan/…`}</code>
          </span>
        </li>
        <li>
          <Icon name="print" />
          <span className="grow">Codes printed before keep working under both addresses.</span>
        </li>
        <li>
          <Icon name="home" />
          <span className="grow any-break">
            {'Dashboard and sign-in stay at '}
            <code dir="ltr">{host}</code>
          </span>
        </li>
      </ul>
    </section>
  )
}

/** Asks before an address goes, which printed codes may have. */
export function RemoveDomain({ domain, printed }: Pick<DomainView, 'domain' | 'printed'>) {
  return (
    <AskDialog
      title="Remove this address?"
      action={settingsAction('branding', '/domain/remove')}
      keep="Keep it"
      failed="The address could not be removed"
    >
      <p className="any-break">
        <b dir="ltr">{domain}</b>
      </p>
      <Note tone={printed > 0 ? 'warn' : 'info'}>{printedText(printed)}</Note>
    </AskDialog>
  )
}

function printedText(printed: number): string {
  if (printed === 0) return 'No code was downloaded or printed with it.'
  const [codes, they] =
    printed === 1 ? ['1 code was', 'It stops'] : [`${formatCount(printed)} codes were`, 'They stop']
  return `${codes} downloaded or printed with it. ${they} working when it is removed.`
}
