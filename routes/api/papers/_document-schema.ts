import { z } from '@hono/zod-openapi'
import {
  DOCUMENT_SIDES,
  DOCUMENT_TYPE_IDS,
  DOCUMENT_TYPES,
  PDF_PROBLEM_IDS,
} from '#domain/papers/document.ts'
import { flag, follows } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'
import { ownerCalls, publicCalls } from '#routes/api/_call.ts'
import { fileForm } from '#routes/api/_file-form.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const publicCall = publicCalls('Documents')

export const document = z
  .object({
    id: z.string(),
    qr_id: z.string(),
    document_type: z.enum(DOCUMENT_TYPE_IDS),
    document_side: z.enum(DOCUMENT_SIDES).nullable(),
    is_public: z
      .boolean()
      .openapi({ description: 'whether anyone who scans the code can open it' }),
    file_name: z.string(),
    file_url: z.string(),
    file_path: z.string(),
    file_size: z.int(),
    content_type: z.string(),
    uploaded_at: z.iso.datetime(),
    expires_on: z.iso
      .date()
      .nullable()
      .openapi({ description: 'the last day on which it is valid; null without an end' }),
  })
  .openapi('Document')

const ownDocument = document
  .extend({
    thumbnail_url: z.string().nullable(),
    is_own: z.boolean().openapi({ description: 'whether you may change it' }),
    is_locked: z.boolean().openapi({
      description: 'locked until the account confirms the reset of its password',
    }),
    pdf_problem: z.enum(PDF_PROBLEM_IDS).nullable().openapi({
      description:
        'why a PDF cannot be read: it opens only with a password, or has no page that opens',
    }),
  })
  .openapi('OwnDocument')
export const documents = z.object({ documents: z.array(ownDocument) })
/** With the number of views by authorities. */
const viewedDocuments = documents.extend({
  police_views: z.object({ total: z.int(), last_viewed_at: z.iso.datetime().nullable() }),
})
const policeView = z.object({
  owner_name: z.string().nullable(),
  contact_phone: z.string().nullable().openapi({ description: 'null where finders write first' }),
  can_message: z.boolean().openapi({ description: 'whether the owner can be written to' }),
  documents: z.array(document),
})

const ENDLESS = `the last day on which it is valid; ignored for a document_type without an end: ${DOCUMENT_TYPE_IDS.filter(
  (id) => !DOCUMENT_TYPES[id].hasEnd,
).join(', ')}`

const form = fileForm(
  'document',
  {
    document_type: { type: 'string', enum: DOCUMENT_TYPE_IDS },
    document_side: {
      type: 'string',
      enum: [...DOCUMENT_SIDES],
      description: 'required for rc_book, license and id_proof, and only there',
    },
    is_public: { type: 'string', enum: ['true', 'false'], default: 'false' },
    expires_on: { type: 'string', format: 'date', description: ENDLESS },
  },
  ['document_type'],
)

const call = ownerCalls('Documents')
const ofCode = z.object({ id: z.string().openapi({ description: 'the qr_id of a code' }) })
const ofDocument = z.object({ id: z.string().openapi({ description: 'the id of a document' }) })
const visibility = jsonBody(z.object({ is_public: flag('is_public') }), { is_public: true })

const change = jsonBody(
  z
    .object({
      is_public: flag('is_public').optional(),
      expires_on: z
        .string({ error: refusing('invalid.document_end') })
        .nullish()
        .openapi({ format: 'date', maxLength: 10, description: `${ENDLESS}; null for no end` }),
    })
    .superRefine(
      follows(({ is_public, expires_on }) =>
        is_public === undefined && expires_on === undefined ? 'invalid.no_change' : undefined,
      ),
    ),
  { is_public: true, expires_on: '2027-05-21' },
)

export const list = call('listDocuments', 'List the documents of a code', {
  get: '/{id}',
  params: ofCode,
  200: answer('The documents of a code', viewedDocuments),
})
export const upload = call('uploadDocument', 'Upload a document', {
  post: '/upload/{qr_id}',
  makes: true,
  query: z.object({
    replaces: z.string().optional().openapi({
      description: 'the id of a document of the code, which is deleted when this one is stored',
    }),
  }),
  body: form,
  201: answer('Stored', ownDocument),
  problems: [402, 409],
})
export const edit = call('changeDocument', 'Show or hide a document, or change when it ends', {
  patch: '/{id}',
  params: ofDocument,
  body: change,
  200: answer('The whole document', ownDocument),
  problems: [409],
})
export const showAll = call('setDocumentsVisibility', 'Show or hide all documents of a code', {
  put: '/{qr_id}/visibility',
  body: visibility,
  200: answer('The documents of the code', documents),
  problems: [409],
})
export const remove = call('deleteDocument', 'Delete a document', {
  delete: '/{id}',
  params: ofDocument,
  200: 'Deleted permanently',
  problems: [409],
})
export const police = publicCall('getPoliceView', 'See what authorities see', {
  get: '/{qr_id}/police',
  200: answer('What authorities see', policeView),
})
