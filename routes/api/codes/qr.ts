import { z } from '@hono/zod-openapi'
import { makingOf } from '#actions/codes/making.ts'
import { resolveBrandOf, toQrView } from '#actions/codes/view.ts'
import { dueUntil } from '#actions/papers/due.ts'
import { deleteQrCode, updateQrCode } from '#db/codes/qr-changes.ts'
import { eachOwnQrCode, listOwnQrCodes } from '#db/codes/qr-codes.ts'
import { createQrCode } from '#db/codes/qr-creation.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { QR_FILTERS, QR_SORTS, type QrFilter, type QrSort } from '#domain/dashboard.ts'
import { actFor } from '#domain/people/acting.ts'
import { actsFor } from '#domain/people/share.ts'
import { whoseField } from '#routes/_http/codes/files.ts'
import { newQrCode } from '#routes/_http/codes/forms.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter, choice, payload, text } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { ownerId } from '#routes/api/_owner-id.ts'
import { countedAnswer, linkPages, pageFields, toPage } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { answerQrList } from '#routes/api/codes/_qr-list.ts'
import { qrChange, qrCode } from '#routes/api/codes/_qr-schema.ts'
import { qrBatches } from '#routes/api/codes/qr-batches.ts'
import { qrBulk } from '#routes/api/codes/qr-bulk.ts'
import { qrClaims } from '#routes/api/codes/qr-claims.ts'
import { qrDownload } from '#routes/api/codes/qr-download.ts'
import { qrImport } from '#routes/api/codes/qr-import.ts'
import { qrLabels } from '#routes/api/codes/qr-labels.ts'
import { qrLost } from '#routes/api/codes/qr-lost.ts'
import { qrTags } from '#routes/api/codes/qr-tags.ts'
import { qrZip } from '#routes/api/codes/qr-zip.ts'
import { qrTransfer } from '#routes/api/transfers/qr-transfer.ts'

const call = ownerCalls('QR codes')

const FILTERS = Object.keys(QR_FILTERS) as QrFilter[]
const SORTS = Object.keys(QR_SORTS) as QrSort[]

const listQuery = z
  .object({
    ...pageFields,
    company_fleet_name: text('company_fleet_name').openapi({ type: 'string' }),
    filter: choice(FILTERS, 'filter').openapi({
      description:
        'due: only codes with something that ends within 30 days or has ended; lost: only those marked as lost',
    }),
    shared: whoseField,
    sort: choice(SORTS, 'sort').openapi({
      description:
        'due: first what ends next; scans: first what has the most; title: by make and model, else the plate, else the name',
    }),
  })
  .transform(toPage)

const list = call('listQrCodes', 'List your codes', {
  get: '/my-qrs',
  query: listQuery,
  200: countedAnswer('Your codes, newest first unless sorted', z.array(qrCode)),
})
const create = call('createQrCode', 'Create a code', {
  post: '/create',
  makes: true,
  body: jsonBody(newQrCode.and(payload({ owner_id: ownerId })), {
    owner_name: 'Asha Patil',
    contact_phone: '98765 43210',
  }),
  201: answer('Created', qrCode),
  problems: [402, 404],
})
const update = call('updateQrCode', 'Change a code', {
  put: '/{qr_id}',
  body: jsonBody(qrChange, { city_area: 'Pune', is_active: true }),
  200: answer('The whole code', qrCode),
  problems: [409],
})
const remove = call('deleteQrCode', 'Delete a code with its scans, documents and links', {
  delete: '/{qr_id}',
  200: 'Deleted permanently',
  problems: [409],
})

export const qr = apiRouter()
  .openapi(list, async (c) => {
    const { db } = c.var.deps
    const viewer = requireAccount(c)
    const { filter, ...wanted } = c.req.valid('query')
    const narrowed = { due: { dueUntil: dueUntil(c.var.deps) }, lost: { isLost: true } }
    const query = { ...wanted, ...(filter && narrowed[filter]) }
    // Without a page the codes are only counted here, and read while they are sent.
    const { qr_codes, total } = await listOwnQrCodes(db, viewer, { limit: 0, ...query })
    c.header('X-Total-Count', String(total))
    linkPages(c, query, total)
    return answerQrList(c, 'limit' in query ? [qr_codes] : eachOwnQrCode(db, viewer, query))
  })
  .openapi(create, async (c) => {
    const { db, secretKey } = c.var.deps
    const { owner_id, ...fields } = c.req.valid('json')
    const { ownerId, help } = actFor(requireAccount(c), owner_id, 'create')
    const by = { secretKey, help, ...makingOf(c.var.deps) }
    const code = await createQrCode(db, ownerId, fields, by)
    return c.json(toQrView(await resolveBrandOf(c.var.deps, ownerId), code), 201)
  })
  .openapi(update, async (c) => {
    const { db, secretKey, clock } = c.var.deps
    const by = { secretKey, now: clock() }
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const account = requireAccount(c)
    const code = await updateQrCode(db, account, qrId, c.req.valid('json'), by)
    return c.json(toQrView(await resolveBrandOf(c.var.deps, actsFor(account, code)), code), 200)
  })
  .openapi(remove, async (c) => {
    const qrId = requireQrId(c.req.valid('param').qr_id)
    await removeFiles(
      c,
      await deleteQrCode(c.var.deps.db, requireAccount(c), qrId, c.var.deps.clock()),
    )
    return c.json({ message: 'QR code deleted successfully!' }, 200)
  })

qr.route('/', qrBatches)
qr.route('/', qrBulk)
qr.route('/', qrClaims)
qr.route('/', qrDownload)
qr.route('/', qrImport)
qr.route('/', qrLabels)
qr.route('/', qrLost)
qr.route('/', qrTags)
qr.route('/', qrTransfer)
qr.route('/', qrZip)
