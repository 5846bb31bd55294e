import { Hono } from 'hono'
import { exportPath, exportStatus } from '#actions/accounts/export-view.ts'
import { startExport } from '#actions/accounts/exports.ts'
import { DataPage, DeletionDialog, type ExportRow } from '#components/accounts/data-page.tsx'
import { DeletedPage } from '#components/accounts/way-back-page.tsx'
import { secondsAfter } from '#db/cast.ts'
import { countWhatGoes } from '#db/deletions/what-goes.ts'
import { findLatestExport } from '#db/exports/exports.ts'
import { EXPORT_HOURS, EXPORT_ID } from '#domain/accounts/export.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { formatBytes } from '#domain/size.ts'
import { formatDateTime } from '#domain/time.ts'
import { deleteOwnAccount } from '#routes/_http/accounts/account.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The export of an account, and its deletion. */
export const dataPages = new Hono<AppEnv>()

dataPages.get('/', (c) => render(c, c.req.query('delete') === undefined ? undefined : {}))

dataPages.post('/deletion', async (c) => {
  const { form } = await readForm(c)
  const typed = String(form.email ?? '')
  return perform(c, {
    act: () => deleteOwnAccount(c, typed),
    done: ({ ends_at, take_back_url: url }) =>
      url ? renderDeleted(c, url, ends_at) : '/login?deleted=1',
    refused: (refusal) => render(c, { typed, refusal }),
  })
})

/** The way back is in this answer alone. */
function renderDeleted(c: AppContext, url: string, endsAt: string): Response {
  const title = 'Your account is being deleted'
  const until = formatDateTime(endsAt, c.var.deps.config.timezone)
  c.header('Cache-Control', 'no-store')
  return renderPage(
    c,
    { title, description: title, sheet: 'public' },
    <DeletedPage title={title} url={url} until={until} />,
  )
}

dataPages.post('/export', async (c) => {
  limit(c, 'export')
  await startExport(c.var.deps, requireCaller(c))
  return c.redirect(settingsHref('data', { done: 'export-begun', at: EXPORT_ID }), 303)
})

type Deletion = { typed?: string; refusal?: DomainError }

/** Renders the page, with the dialog of a deletion. */
async function render(c: AppContext, deletion?: Deletion): Promise<Response> {
  const account = requireAccount(c)
  const goes = {
    ...(await countWhatGoes(c.var.deps.db, account.id)),
    plan: account.subscription_plan,
  }
  const { typed, refusal } = deletion ?? {}
  const dialog = deletion && (
    <DeletionDialog goes={goes} holder={account} typed={typed} problem={refusal?.message} />
  )
  return renderSettings(c, { page: 'data', title: 'Your data', dialog }, async () => (
    <DataPage latest={await readExportRow(c)} retention={c.var.deps.config.retention} goes={goes} />
  ))
}

async function readExportRow(c: AppContext): Promise<ExportRow | undefined> {
  const { db, clock, config } = c.var.deps
  const found = await findLatestExport(db, requireAccount(c).id, clock())
  if (!found) return undefined
  const { id, progress, bytes, done_at } = found
  const until = done_at && secondsAfter(new Date(done_at), EXPORT_HOURS * 3600)
  return {
    status: await exportStatus(c.var.deps, found),
    progress,
    size: formatBytes(bytes),
    href: exportPath(id),
    until: until ? formatDateTime(until, config.timezone) : '',
  }
}
