import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Hono } from 'hono'
import { mailOrigin } from '#actions/mail.ts'
import { actorOf, recordAct } from '#db/admin/audit-events.ts'
import { dropPageCache } from '#db/admin/database-size.ts'
import { adminHref } from '#domain/admin/admin.ts'
import { testMail } from '#mail/texts.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { perform } from '#routes/_http/forms.ts'
import { requireSuperAdmin } from '#routes/_http/guards.ts'
import { renderSystem, type SystemDone } from '#routes/admin/_system.tsx'
import { forgetScanPages } from '#routes/scan/_pages.tsx'

/** The buttons of the System tab; each is recorded. */
export const systemForms = new Hono<AppEnv>()

systemForms.post('/check', async (c) => {
  const { damage } = await c.var.deps.health.checkDatabase()
  await note(c, 'database.checked', { damage })
  return redirectDone(c, 'checked')
})

systemForms.post('/test-mail', async (c) => {
  const account = requireSuperAdmin(c)
  const { mailer, clock } = c.var.deps
  const refuse = (failure: string) => {
    c.status(503)
    return renderSystem(c, account, { failure })
  }
  if (!mailer.configured) return refuse('Email is not configured')
  if (!account.email) return refuse('Your account has no email address')
  if (!account.email_verified_at) return refuse('Your email address is not verified')
  const mail = testMail({ ...mailOrigin(c.var.deps), sentAt: clock() })
  const problem = await mailer.send({ ...mail, to: account.email }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (problem !== undefined) return refuse(`The test mail could not be sent: ${problem}`)
  await note(c, 'mail.tested')
  return redirectDone(c, 'test-mail')
})

systemForms.post('/clear-cache', async (c) => {
  forgetScanPages(c.var.deps)
  await dropPageCache(c.var.deps.db)
  await note(c, 'cache.cleared')
  return redirectDone(c, 'cache-cleared')
})

systemForms.post('/backup', (c) =>
  perform(c, {
    act: () => c.var.deps.backups.make(),
    done: async ({ file }) => {
      const name = basename(file)
      await note(c, 'backup.made', { file: name })
      const pieces = (await open(file)).createReadStream()
      return sendFile(c, pieces, { name, type: 'application/x-tar' })
    },
    refused: ({ message }) => renderSystem(c, requireSuperAdmin(c), { failure: message }),
  }),
)

systemForms.post('/logs', async (c) => {
  await note(c, 'logs.exported')
  c.header('Content-Type', 'application/x-ndjson')
  c.header('Content-Disposition', 'attachment; filename="driveqr-log.ndjson"')
  return c.body(c.var.deps.recentLog.read())
})

async function note(c: AppContext, action: string, after?: Record<string, unknown>) {
  const { db, clock } = c.var.deps
  const subject = { subject_type: 'installation', subject_id: null, ...(after && { after }) }
  await recordAct(db, { ...actorOf(requireSuperAdmin(c)), ...subject, action }, clock())
}

function redirectDone(c: AppContext, done: SystemDone): Response {
  return c.redirect(adminHref('system', { done }), 303)
}
