import type { ApiCall, ApiField, ApiGuide, ApiObject } from '#components/accounts/api-docs.tsx'
import type { ApiDocument, Operation, Schema } from '#routes/api/_openapi-types.ts'

/** Makes the view of the API's description for its page. */
export function toApiGuide(document: ApiDocument): ApiGuide {
  const server = document.servers[0]?.url ?? ''
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = document.tags.map(({ name, description }) => ({
    id: idOf(name),
    name,
    description,
    calls: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map((call) => toCall(server, call)),
  }))
  const objects: ApiObject[] = Object.entries(document.components.schemas).map(
    ([name, schema]) => ({ name, fields: fieldsOf(schema) }),
  )
  const webhooks = Object.entries(document.webhooks).map(([event, { post }]) => ({
    event,
    summary: post.summary,
    fields: bodyOf(post)?.fields ?? [],
  }))
  return { server, groups, webhooks, objects }
}

type Described = { method: string; path: string; operation: Operation }

function toCall(server: string, { path, operation, ...call }: Described): ApiCall {
  const method = call.method.toUpperCase()
  const { summary, parameters = [], responses } = operation
  return {
    id: idOf(`${method} ${path}`),
    method,
    path,
    summary,
    access: accessTo(path, operation),
    parameters: parameters.map(({ name, required = false, description, schema }) => ({
      name,
      type: typeText(schema),
      required,
      description: description ?? schema.description,
    })),
    body: bodyOf(operation),
    answers: Object.entries(responses).map(([status, { description, content }]) => ({
      status,
      description,
      type: Number(status) < 300 ? answerText(content) : undefined,
    })),
    curl: curlFor(server, method, path, operation),
  }
}

function accessTo(path: string, { security }: Operation): string {
  if (path.startsWith('/api/admin/')) return 'Admins'
  if (security.length === 0) return 'Anybody'
  const scopes = security.flatMap(({ api_key = [] }) => api_key).join(' or ')
  const who = scopes ? `Session or API key with ${scopes}` : 'Session'
  return security.some((each) => Object.keys(each).length === 0) ? `Anybody, or ${who}` : who
}

type Media = NonNullable<Operation['requestBody']>['content']

function bodyOf({ requestBody }: Operation): ApiCall['body'] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!type || !media?.schema) return undefined
  return { type, fields: fieldsOf(media.schema) }
}

function answerText(content: Media | undefined): string | undefined {
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (!type) return undefined
  return type === 'application/json' && media?.schema ? typeText(media.schema) : type
}

function fieldsOf({ properties = {}, required = [], allOf = [] }: Schema): ApiField[] {
  const own = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema),
    required: required.includes(name),
    description: schema.description,
  }))
  return [...allOf.flatMap(fieldsOf), ...own]
}

/** A schema in one line, in TypeScript syntax. */
function typeText(schema: Schema): string {
  const { $ref, type, items, properties, required = [], additionalProperties } = schema
  if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(typeText).join(' | ')
  if (schema.allOf) return schema.allOf.map(typeText).join(' & ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (items) return `${typeText(items)}[]`
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(each)}`,
    )
    return `{ ${fields.join(', ')} }`
  }
  if (typeof additionalProperties === 'object') return 'object'
  if (schema.format === 'binary') return 'file'
  return [type ?? 'any'].flat().join(' | ')
}

function curlFor(server: string, method: string, path: string, operation: Operation): string {
  const { requestBody, security } = operation
  const where = path.replace('{qr_id}', '7K3MQ9WD4XTP').replaceAll(/{(\w+)}/g, '<$1>')
  const json = requestBody?.content['application/json']
  const lines = [
    `curl ${method === 'GET' || json || requestBody ? '' : `-X ${method} `}'${server}${where}'`,
    security.length > 0 && `-H 'Authorization: Bearer <token>'`,
    json && method !== 'POST' && `-X ${method}`,
    json && `--json '${JSON.stringify(json.example)}'`,
    ...(json ? [] : formFields(requestBody?.content['multipart/form-data']?.schema)),
  ]
  return lines.filter(Boolean).join(' \\\n  ')
}

function formFields(schema: Schema | undefined): string[] {
  const names = schema?.required ?? []
  return names.map((name) =>
    name === 'file'
      ? `-F 'file=@picture.jpg'`
      : `-F '${name}=${schema?.properties?.[name]?.enum?.[0]}'`,
  )
}

function idOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
