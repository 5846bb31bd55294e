import { createRoute, z } from '@hono/zod-openapi'
import { DOCUMENT_SIDES, DOCUMENT_TYPE_IDS } from '#domain/papers/document.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, flag, jsonBody, message, ownerSecurity, problems } from '#routes/_http/schema.ts'

export const document = z
  .object({
    id: z.string(),
    qr_id: z.string(),
    document_type: z.enum(DOCUMENT_TYPE_IDS),
    document_side: z.enum(DOCUMENT_SIDES).nullable(),
    is_public: z.boolean(),
    file_name: z.string(),
    file_url: z.string(),
    file_path: z.string(),
    file_size: z.int(),
    content_type: z.string(),
    uploaded_at: z.iso.datetime(),
  })
  .openapi('Document')

const ownDocument = document
  .extend({
    thumbnail_url: z.string().nullable(),
    is_own: z.boolean(),
    is_locked: z.boolean().openapi({
      description: 'closed until the account confirms the reset of its password',
    }),
  })
  .openapi('OwnDocument')
export const documents = z.object({ documents: z.array(ownDocument) })
/** With how often authorities looked at them. */
const viewedDocuments = documents.extend({
  police_views: z.object({ total: z.int(), last_viewed_at: z.iso.datetime().nullable() }),
})
const policeView = z.object({
  owner_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
  documents: z.array(document),
})

type TextField = { type: 'string'; enum: string[]; default?: string }

/** Described, not parsed: a schema here would read the whole upload into memory. */
export function fileForm(fields: Record<string, TextField> = {}, required: string[] = []) {
  const schema = {
    type: 'object' as const,
    properties: { file: { type: 'string' as const, format: 'binary' }, ...fields },
    required: ['file', ...required],
  }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

const form = fileForm(
  {
    document_type: { type: 'string', enum: DOCUMENT_TYPE_IDS },
    document_side: { type: 'string', enum: [...DOCUMENT_SIDES] },
    is_public: { type: 'string', enum: ['true', 'false'], default: 'false' },
  },
  ['document_type'],
)

const asOwner = { middleware: signedIn, security: ownerSecurity } as const
export const codeParams = z.object({ qr_id: z.string() })
const ofCode = z.object({ id: z.string().openapi({ description: 'the qr_id of a code' }) })
const ofDocument = z.object({ id: z.string().openapi({ description: 'the id of a document' }) })
const visibility = jsonBody(z.object({ is_public: flag('is_public') }))

export const list = createRoute({
  ...asOwner,
  method: 'get',
  path: '/{id}',
  request: { params: ofCode },
  responses: { 200: answer('The documents of a code', viewedDocuments), ...problems(401, 404) },
})
export const upload = createRoute({
  ...asOwner,
  method: 'post',
  path: '/upload/{qr_id}',
  request: { params: codeParams, body: form },
  responses: {
    201: answer('Stored', ownDocument),
    ...problems(400, 401, 402, 404, 409, 413, 415, 503),
  },
})
export const show = createRoute({
  ...asOwner,
  method: 'patch',
  path: '/{id}',
  request: { params: ofDocument, body: visibility },
  responses: { 200: answer('The whole document', ownDocument), ...problems(400, 401, 404, 409) },
})
export const showAll = createRoute({
  ...asOwner,
  method: 'put',
  path: '/{qr_id}/visibility',
  request: { params: codeParams, body: visibility },
  responses: {
    200: answer('The documents of the code', documents),
    ...problems(400, 401, 404, 409),
  },
})
export const remove = createRoute({
  ...asOwner,
  method: 'delete',
  path: '/{id}',
  request: { params: ofDocument },
  responses: { 200: answer('Gone for good', message), ...problems(401, 404, 409) },
})
export const police = createRoute({
  method: 'get',
  path: '/{qr_id}/police',
  request: { params: codeParams },
  responses: { 200: answer('What authorities see', policeView), ...problems(404) },
})
