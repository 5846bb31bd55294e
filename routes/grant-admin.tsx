import { Hono } from 'hono'
import { AlreadyAdmin } from '#components/admin/already-admin.tsx'
import { GrantAdmin } from '#components/admin/grant-admin.tsx'
import { TopBar } from '#components/frame/top-bar.tsx'
import { grantFirstAdmin, grantSuperAdmin } from '#db/accounts/permissions.ts'
import type { Account } from '#db/schema.ts'
import type { DomainError } from '#domain/error.ts'
import { assertMayGrantToSelf, mayGrantToSelf } from '#routes/_http/client-address.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** Where a person who tries the service out becomes its super admin. */
export const grantAdmin = new Hono<AppEnv>()
  .get('/', (c) => render(c, requireAccount(c)))
  .post(async (c) => {
    const account = requireAccount(c)
    const { db, clock } = c.var.deps
    const grant = (await readForm(c)).form.first ? grantFirstAdmin : grantSuperAdmin
    return perform(c, {
      act: async () => {
        assertMayGrantToSelf(c)
        return grant(db, account.id, clock())
      },
      done: () => '/admin',
      refused: (refusal) => render(c, account, refusal),
    })
  })

function render(c: AppContext, account: Account, refusal?: DomainError): Response {
  const isAlready = account.role === 'super_admin'
  const title = isAlready ? 'Already an Admin' : 'Grant Admin'
  const { name, email, role } = account
  const disabled = !mayGrantToSelf(c)
  const props = { name, email, role, disabled, message: refusal?.message }
  return renderPage(
    c,
    { title, sheet: 'app' },
    <>
      <TopBar account={account} />
      <main className="wrap" id="main">
        <div className="main main-narrow" id="panel">
          {isAlready ? <AlreadyAdmin /> : <GrantAdmin {...props} />}
        </div>
        <div id="dialog" />
      </main>
    </>,
  )
}
