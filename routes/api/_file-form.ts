type TextField = {
  type: 'string'
  enum?: string[]
  format?: 'date'
  default?: string
  description?: string
}

type Kinds = 'document' | 'image'
const KINDS: Record<Kinds, { contentType: string; description: string }> = {
  document: {
    contentType: 'application/pdf, image/jpeg, image/png',
    description: 'A PDF, JPEG or PNG of at most 10 MB',
  },
  image: {
    contentType: 'image/jpeg, image/png, image/webp',
    description: 'A JPEG, PNG or WebP of at most 5 MB',
  },
}

/** Describes a form with a file in plain JSON Schema: a zod schema would read the whole upload into memory. */
export function fileForm(
  kinds: Kinds,
  fields: Record<string, TextField> = {},
  required: string[] = [],
) {
  const { contentType, description } = KINDS[kinds]
  const file = { type: 'string' as const, format: 'binary', description }
  const schema = {
    type: 'object' as const,
    properties: { file, ...fields },
    required: ['file', ...required],
  }
  const encoding = { file: { contentType } }
  return { required: true, content: { 'multipart/form-data': { schema, encoding } } }
}
