import { z } from '@hono/zod-openapi'
import { scanUrl } from '#actions/codes/view.ts'
import { type SelectedCode, selectOwnCodes } from '#db/codes/qr-selection.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { text } from '#routes/_http/schema.ts'

/** Which codes a file is about; the last word of a selection that says nothing is a refusal. */
export const selectionQuery = {
  ids: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .openapi({
      description: 'ids of codes, separated by commas or each by itself; labels follow their order',
    }),
  search: text('search').openapi({
    type: 'string',
    description: 'codes that the list would find, newest first',
  }),
  all: z.enum(['1'], { error: 'all must be 1' }).optional().openapi({ description: 'every code' }),
}

type Selection = {
  ids?: string | string[] | undefined
  search: string | null
  all?: '1' | undefined
}

/** The codes of the account with the address that is in each. Throws not_found and invalid. */
export async function readSelection(
  c: AppContext,
  { ids, search, all }: Selection,
): Promise<(SelectedCode & { url: string })[]> {
  const asked = [ids ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .filter((id) => id.trim())
  if (asked.length === 0 && !search && !all) {
    throw new DomainError('invalid', 'Say which QR codes: ids, search, or all=1')
  }
  const wanted = asked.length > 0 ? { ids: [...new Set(asked.map(requireQrId))] } : { search }
  const codes = await selectOwnCodes(c.var.deps.db, requireAccount(c), wanted)
  return codes.map((code) => ({ ...code, url: scanUrl(c, code.qr_id) }))
}
