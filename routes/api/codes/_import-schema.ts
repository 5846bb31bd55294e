import { z } from '@hono/zod-openapi'
import { IMPORT_MAX_ROWS, ON_DUPLICATE, type OnDuplicate } from '#domain/fleets/import.ts'
import { mustBe } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { ownerId } from '#routes/api/_owner-id.ts'
import { answer, problemAnswer } from '#routes/api/_payloads.ts'
import { batch } from '#routes/api/codes/_qr-schema.ts'

const call = ownerCalls('QR codes')

const count = (description: string) => z.int().openapi({ description })

const checked = z.object({
  rows: count('rows in which something stands'),
  valid: count('rows without an error'),
  created: count('codes that would be made'),
  updated: count('rows whose vehicle is there and would be updated'),
  skipped: count('rows whose vehicle is there and would be skipped'),
  allowed: z
    .int()
    .nullable()
    .openapi({ description: 'how many more codes are allowed; null: any number' }),
  errors: z
    .array(
      z.object({
        row: count('as in a spreadsheet: the names of the columns are row 1'),
        column: z.string(),
        detail: z.string(),
      }),
    )
    .openapi({ description: 'the first 1,000' }),
})

const onDuplicate = {
  type: 'string' as const,
  enum: [...ON_DUPLICATE] as OnDuplicate[],
  default: 'error',
  description: 'what becomes of rows whose vehicle already has a code',
}

/** Plain JSON Schema, because a zod schema would read the whole table into memory. */
const form = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        properties: {
          file: {
            type: 'string' as const,
            format: 'binary',
            description: `A CSV table in UTF-8 of at most ${IMPORT_MAX_ROWS} rows and 1 MB`,
          },
          on_duplicate: onDuplicate,
        },
        required: ['file'],
      },
      encoding: { file: { contentType: 'text/csv' } },
    },
  },
}

export const importCall = call('importQrCodes', 'Import a table of codes, or check it', {
  post: '/import',
  makes: true,
  query: z.object({
    dry_run: z
      .enum(['1'], { error: mustBe('dry_run', '1') })
      .optional()
      .openapi({ description: 'only says what would happen' }),
    on_duplicate: z
      .enum(ON_DUPLICATE, { error: refusing('invalid.on_duplicate') })
      .optional()
      .openapi({ description: 'as the field of the form' }),
    owner_id: ownerId,
  }),
  body: form,
  200: answer('With dry_run: what would happen', checked),
  201: answer(
    'All rows were imported',
    batch.extend({ updated_count: z.int(), skipped_count: z.int() }),
  ),
  400: problemAnswer(
    'Nothing was imported: what is no table has only the detail',
    checked.omit({ allowed: true }).partial().extend({ detail: z.string() }),
  ),
  problems: [402, 404],
})
