import { z } from '@hono/zod-openapi'
import { DOCUMENT_SIDES, DOCUMENT_TYPE_IDS } from '#domain/papers/document.ts'
import { SHARE_METHODS } from '#domain/papers/share.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, jsonBody, message, ownerSecurity, problems, text } from '#routes/_http/schema.ts'
import { apiCall, codeParams, idParams } from '#routes/api/_call.ts'
import { documents } from '#routes/api/papers/_document-schema.ts'

const share = z.object({
  share_method: z.enum(SHARE_METHODS, 'Please choose whatsapp, email or download'),
  recipient: text('recipient'),
})
const shared = z.object({
  whatsapp_url: z.string().optional(),
  download_url: z.string().optional(),
  success: z.literal(true).optional(),
})
const shareLink = z
  .object({
    id: z.string(),
    document_id: z.string(),
    qr_id: z.string(),
    document_type: z.enum(DOCUMENT_TYPE_IDS),
    document_side: z.enum(DOCUMENT_SIDES).nullable(),
    file_name: z.string(),
    share_method: z.enum(SHARE_METHODS),
    recipient: z.string().nullable(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .openapi('ShareLink')

const asOwner = { subject: 'Gallery', middleware: signedIn, security: ownerSecurity } as const

export const listShares = apiCall({
  ...asOwner,
  operationId: 'listShareLinks',
  summary: 'List your links',
  method: 'get',
  path: '/shares',
  responses: {
    200: answer('Your valid links', z.object({ shares: z.array(shareLink) })),
  },
})
export const revoke = apiCall({
  ...asOwner,
  operationId: 'endShareLink',
  summary: 'End a link',
  method: 'delete',
  path: '/shares/{id}',
  request: { params: idParams },
  responses: { 200: answer('The link has ended', message), ...problems(404) },
})
export const list = apiCall({
  ...asOwner,
  operationId: 'listGallery',
  summary: 'List the gallery of a code',
  method: 'get',
  path: '/{qr_id}',
  request: { params: codeParams },
  responses: { 200: answer('The documents of a code', documents), ...problems(404) },
})
export const create = apiCall({
  ...asOwner,
  operationId: 'shareDocument',
  summary: 'Share a document',
  method: 'post',
  path: '/share/{doc_id}',
  request: {
    params: z.object({ doc_id: z.string() }),
    body: jsonBody(share, { share_method: 'whatsapp', recipient: 'ravi@example.in' }),
  },
  responses: {
    200: answer('A link that is valid for seven days', shared),
    ...problems(404),
  },
})
