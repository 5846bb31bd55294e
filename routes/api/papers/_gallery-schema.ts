import { z } from '@hono/zod-openapi'
import { DOCUMENT_SIDES, DOCUMENT_TYPE_IDS } from '#domain/papers/document.ts'
import { SHARE_METHODS } from '#domain/papers/share.ts'
import { text } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { documents } from '#routes/api/papers/_document-schema.ts'

const share = z.object({
  share_method: z.enum(SHARE_METHODS, refusing('invalid.share_way')),
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

const call = ownerCalls('Gallery')

export const listShares = call('listShareLinks', 'List your links', {
  get: '/shares',
  200: answer('Your valid links', z.object({ shares: z.array(shareLink) })),
})
export const revoke = call('endShareLink', 'End a link', {
  delete: '/shares/{id}',
  200: 'The link has ended',
})
export const list = call('listGallery', 'List the gallery of a code', {
  get: '/{qr_id}',
  200: answer('The documents of a code', documents),
})
export const create = call('shareDocument', 'Share a document', {
  post: '/share/{doc_id}',
  makes: true,
  secrets: ['whatsapp_url', 'download_url'],
  body: jsonBody(share, { share_method: 'whatsapp', recipient: 'ravi@example.in' }),
  200: answer('A link that is valid for seven days', shared),
})
