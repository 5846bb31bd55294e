import { checkTable, importTable, type SentTable, withTable } from '#actions/fleets/import.ts'
import type { Account } from '#db/schema.ts'
import { CSV_BOM, toCsv } from '#domain/csv.ts'
import { FIRST_PLACE, placeHref, readPlace } from '#domain/dashboard.ts'
import { EXAMPLE, IMPORT_COLUMNS, readOnDuplicate } from '#domain/fleets/import.ts'
import type { ImportCheck } from '#domain/fleets/import-check.ts'
import { actFor } from '#domain/people/acting.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { perform } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { checkDialog, importDialog } from '#routes/dashboard/codes/_import-dialog.tsx'
import { renderMyQrs, renderRefused } from '#routes/dashboard/codes/_my-qrs.tsx'

/** Checks the table that was sent, or imports it once it was checked. */
export function answerImport(c: AppContext): Promise<Response> {
  const account = requireAccount(c)
  return perform(c, {
    act: () =>
      withTable(loggedDeps(c), uploadFrom(c, account, 'import'), (table) =>
        answerTable(c, account, table),
      ),
    done: (answer) => answer,
    refused: (refusal) => {
      const dialog = importDialog(account, readPlace(c.req.query()), refusal.message)
      return renderRefused(c, account, refusal, dialog)
    },
  })
}

function answerTable(c: AppContext, account: Account, table: SentTable): Promise<Response> {
  const { confirm, on_duplicate, owner_id } = table.fields
  const acting = actFor(account, owner_id, 'create')
  const choice = readOnDuplicate(on_duplicate)
  const deps = loggedDeps(c)
  const check = async (message?: string) => {
    const checked = await checkTable(deps, acting, table, choice ?? 'error')
    const shown = { on_duplicate: choice, message }
    return checkDialog(account, readPlace(c.req.query()), table, checked, shown)
  }
  return perform(c, {
    act: async () => confirm && importTable(deps, acting, table, choice ?? 'error'),
    done: async (imported) => {
      if (imported && imported.check.errors.length === 0) {
        return placeHref(FIRST_PLACE, doneOf(imported.check, imported.made[0]?.created_at))
      }
      if (imported) c.status(400)
      return renderMyQrs(c, account, { dialog: await check() })
    },
    refused: async (refusal) => renderRefused(c, account, refusal, await check(refusal.message)),
  })
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

/** Sends a table with all columns and one example row. */
export function answerTemplate(c: AppContext): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8')
  c.header('Content-Disposition', 'attachment; filename="qr_codes_template.csv"')
  const row = IMPORT_COLUMNS.map((column) => EXAMPLE[column] ?? null)
  return c.body(CSV_BOM + toCsv([[...IMPORT_COLUMNS], row]))
}
