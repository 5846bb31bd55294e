import { z } from '@hono/zod-openapi'
import { ZIP_SIZE } from '#actions/codes/zip.ts'
import { toNumber } from '#domain/number.ts'
import { selectionQuery, sendZip } from '#routes/_http/codes/files.ts'
import { fileAnswer } from '#routes/_http/downloads.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'

const call = ownerCalls('QR codes')

const query = z.object({
  ...selectionQuery,
  size: z.string().default(String(ZIP_SIZE)).transform(toNumber).openapi({
    type: 'integer',
    minimum: 1,
    maximum: 40,
    default: ZIP_SIZE,
    description: 'pixels per module of the images',
  }),
})

const pack = call('downloadQrCodes', 'Get the images of many codes in one file', {
  get: '/codes.zip',
  query,
  200: fileAnswer('A PNG and an SVG of each code, and a list of them', 'application/zip'),
  problems: [404],
})

export const qrZip = apiRouter().openapi(pack, (c) => {
  const { size, ...selection } = c.req.valid('query')
  return sendZip(c, selection, size)
})
