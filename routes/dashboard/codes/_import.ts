import { checkTable, importTable, type SentTable, withTable } from '#actions/fleets/import.ts'
import type { Account } from '#db/schema.ts'
import { CSV_BOM, toCsv } from '#domain/csv.ts'
import { FIRST_PLACE, placeHref, readPlace } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import {
  EXAMPLE,
  IMPORT_COLUMNS,
  type OnDuplicate,
  readOnDuplicate,
} from '#domain/fleets/import.ts'
import type { ImportCheck } from '#domain/fleets/import-check.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { sentBy } from '#routes/_http/papers/uploads.ts'
import { refusalOf, sayWhenAgain } from '#routes/_http/refusal.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { checkDialog, importDialog } from '#routes/dashboard/codes/_import-dialog.tsx'
import { renderMyQrs } from '#routes/dashboard/codes/_my-qrs.tsx'

/** Checks the table that was sent, or imports it once it was checked. */
export async function answerImport(c: AppContext): Promise<Response> {
  const account = requireAccount(c)
  let answered: Response | undefined
  const receiving = withTable(loggedDeps(c), sentBy(c, account, 'import'), async (table) => {
    answered = await answerTable(c, account, table)
  })
  const refusal = await refusalOf(receiving)
  if (answered) return answered
  sayWhenAgain(c, refusal)
  const { message, code } = refusal as DomainError
  const dialog = importDialog(readPlace(c.req.query()), message)
  return renderMyQrs(c, account, { dialog, code })
}

async function answerTable(c: AppContext, account: Account, table: SentTable): Promise<Response> {
  const { confirm, on_duplicate } = table.fields
  const choice = readOnDuplicate(on_duplicate)
  let done: Response | undefined
  const refusal = await refusalOf(
    (async () => {
      if (confirm) done = await importNow(c, account, table, choice ?? 'error')
    })(),
  )
  if (done) return done
  const checked = await checkTable(loggedDeps(c), account.id, table, choice ?? 'error')
  const place = readPlace(c.req.query())
  const said = { on_duplicate: choice, message: refusal?.message }
  const dialog = await checkDialog(place, table, checked, said)
  return renderMyQrs(c, account, {
    dialog,
    code: refusal?.code ?? (confirm ? 'invalid' : undefined),
  })
}

/** Leads to the labels of what was made. Undefined when the table has errors. */
async function importNow(
  c: AppContext,
  account: Account,
  table: SentTable,
  choice: OnDuplicate,
): Promise<Response | undefined> {
  const { check, made } = await importTable(loggedDeps(c), account.id, table, choice)
  if (check.errors.length > 0) return undefined
  return c.redirect(placeHref(FIRST_PLACE, doneOf(check, made[0]?.created_at)), 303)
}

function doneOf({ created, updated }: ImportCheck, at: string | undefined): Record<string, string> {
  if (created === 0) return { done: 'import-updated' satisfies Done, count: String(updated) }
  return {
    done: 'imported' satisfies Done,
    count: String(created),
    ...(updated > 0 && { updated: String(updated) }),
    ...(at && { made: at }),
  }
}

/** A table with all columns and one row to be written over. */
export function answerTemplate(c: AppContext): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8')
  c.header('Content-Disposition', 'attachment; filename="qr_codes_template.csv"')
  const row = IMPORT_COLUMNS.map((column) => EXAMPLE[column] ?? null)
  return c.body(CSV_BOM + toCsv([[...IMPORT_COLUMNS], row]))
}
