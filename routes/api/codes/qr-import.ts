import { checkTable, importTable, withTable } from '#actions/fleets/import.ts'
import { DomainError } from '#domain/error.ts'
import { type OnDuplicate, readOnDuplicate } from '#domain/fleets/import.ts'
import { type ImportCheck, refusedRows } from '#domain/fleets/import-check.ts'
import { actFor } from '#domain/people/acting.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { answerProblem } from '#routes/_http/problems.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { importCall } from '#routes/api/codes/_import-schema.ts'
import { answerMadeCodes } from '#routes/api/codes/_qr-list.ts'

export const qrImport = apiRouter().openapi(importCall, async (c) => {
  const account = requireAccount(c)
  const deps = loggedDeps(c)
  const { dry_run, on_duplicate, owner_id } = c.req.valid('query')
  const acting = actFor(account, owner_id, 'create')
  return withTable(deps, uploadFrom(c, account, 'import'), async (table) => {
    const onDuplicate = on_duplicate ?? choiceOf(table.fields.on_duplicate)
    if (dry_run) {
      const { check, allowed } = await checkTable(deps, acting, table, onDuplicate)
      return c.json({ ...toView(check), allowed }, 200)
    }
    const { check, made } = await importTable(deps, acting, table, onDuplicate)
    if (check.errors.length > 0) {
      return (await answerProblem(c, refusedRows(check), toView(check))) as never
    }
    const { created, updated, skipped } = check
    const counts = { created_count: created, updated_count: updated, skipped_count: skipped }
    return answerMadeCodes(c, counts, made)
  })
})

function choiceOf(field: string | undefined): OnDuplicate {
  if (!field) return 'error'
  const choice = readOnDuplicate(field)
  if (!choice) throw new DomainError('invalid.on_duplicate')
  return choice
}

function toView({ notable: _, ...check }: ImportCheck) {
  return check
}
