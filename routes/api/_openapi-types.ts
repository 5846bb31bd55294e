/** The part of JSON Schema that the page reads. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  description?: string
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Media = { schema?: Schema; example?: unknown }
type Content = Record<string, Media>
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
  security: Record<string, string[]>[]
}
export type ApiDocument = {
  info: { title: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}
