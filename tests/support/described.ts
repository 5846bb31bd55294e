import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Schema = {
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  unevaluatedProperties?: false
}
type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>
type Document = {
  paths: Record<string, Record<string, { responses: Responses }>>
  components: { schemas: Record<string, Schema> }
}
type Call = { name: string; pattern: RegExp; pointer: string; responses: Responses }

/** The description of the API with plans, and without: others differ only in the server's address. */
const described = new Map<boolean, Promise<{ ajv: Ajv2020; calls: Call[] }>>()
const validators = new Map<string, ValidateFunction | undefined>()

/** Statuses that no call describes, because they are common or no call was reached. */
const OF_NO_CALL = [404, 405]

/** Throws when the status, type or shape of an answer differs from the description of its call. */
export async function assertDescribed(
  { method, path }: { method: string; path: string },
  answer: Response,
  read: () => Promise<Document>,
  hasPlans = true,
): Promise<void> {
  const known = described.get(hasPlans) ?? read().then(open)
  described.set(hasPlans, known)
  const { ajv, calls } = await known
  const [pathname = ''] = path.split('?')
  const verb = method === 'HEAD' ? 'GET' : method
  const matching = calls.filter(({ pattern }) => pattern.test(pathname))
  const whole = matching.filter(({ pointer }) => variablesIn(pointer) === 0)
  // A path without variables is not also another call's.
  const call = (whole.length > 0 ? whole : matching).find(({ name }) => name === verb)
  const asked = `${method} ${path}: ${answer.status}`
  if (!call) {
    if (OF_NO_CALL.includes(answer.status)) return
    throw new Error(`${asked} is of no call that is described`)
  }
  const response = call.responses[answer.status]
  if (!response) throw new Error(`${asked} is not described`)
  const [type = ''] = answer.headers.get('Content-Type')?.split(';') ?? []
  const types = Object.keys(response.content ?? {})
  if (answer.body !== null && !types.includes(type) && !types.includes('*/*')) {
    throw new Error(`${asked} is described without ${type}`)
  }
  const isPacked = answer.headers.has('Content-Encoding')
  if (type !== 'application/json' || answer.body === null || isPacked) return
  const pointer = `${call.pointer}/responses/${answer.status}/content/application~1json/schema`
  const key = `${hasPlans} ${pointer}`
  if (!validators.has(key)) validators.set(key, ajv.compile({ $ref: `api#${pointer}` }))
  const validate = validators.get(key)
  if (!validate?.(await answer.clone().json())) {
    throw new Error(`${asked} is not as described: ${ajv.errorsText(validate?.errors)}`)
  }
}

function open(document: Document) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats(ajv)
  ajv.addSchema(closeAnswers(document), 'api')
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/{\w+}/g, '[^/]+')}$`),
      pointer: `/paths/${path.replaceAll('/', '~1')}/${method}`,
      responses,
    })),
  )
  // If a path matches two calls, the more specific one.
  calls.sort((a, b) => variablesIn(a.pointer) - variablesIn(b.pointer))
  return { ajv, calls }
}

function variablesIn(pointer: string): number {
  return pointer.split('{').length - 1
}

/** Forbids fields that the schema does not list. */
function closeAnswers(document: Document): Document {
  for (const methods of Object.values(document.paths)) {
    for (const { responses } of Object.values(methods)) {
      for (const { content = {} } of Object.values(responses)) {
        for (const media of Object.values(content)) media.schema = closed(media.schema)
      }
    }
  }
  const { schemas } = document.components
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withClosedParts(schema)
  return document
}

function closed(schema: Schema): Schema {
  return { ...withClosedParts(schema), unevaluatedProperties: false }
}

/** Left open, because it may be one part of an `allOf`. */
function withClosedParts(schema: Schema): Schema {
  const { properties, items, allOf, anyOf } = schema
  const entries = Object.entries(properties ?? {}).map(([name, each]) => [name, closed(each)])
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(entries) }),
    ...(items && { items: closed(items) }),
    ...(allOf && { allOf: allOf.map(withClosedParts) }),
    ...(anyOf && { anyOf: anyOf.map(withClosedParts) }),
  }
}
