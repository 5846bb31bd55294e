import { Hono } from 'hono'
import { AlreadyAdmin } from '#components/admin/already-admin.tsx'
import { GrantAdmin } from '#components/admin/grant-admin.tsx'
import { TopBar } from '#components/frame/top-bar.tsx'
import type { Account } from '#db/schema.ts'
import type { DomainError } from '#domain/error.ts'
import { grantToSelf } from '#routes/_http/accounts/super-admin.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { requireAccount } from '#routes/_http/guards.ts'
import { mayGrantToSelf } from '#routes/_http/local-request.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** Where a person who tries the service out becomes its super admin. */
export const grantAdmin = new Hono<AppEnv>()
  .get('/', (c) => render(c, requireAccount(c)))
  .post(async (c) => {
    const account = requireAccount(c)
    const refusal = await refusalOf(grantToSelf(c))
    return refusal ? render(c, account, refusal) : c.redirect('/admin', 303)
  })

function render(c: AppContext, account: Account, refusal?: DomainError): Response {
  const isAlready = account.role === 'super_admin'
  const title = isAlready ? 'Already an Admin' : 'Grant Admin'
  const status = refusal && STATUS[refusal.code]
  const { name, email, role } = account
  const disabled = !mayGrantToSelf(c)
  const props = { name, email, role, disabled, message: refusal?.message }
  return renderPage(
    c,
    { title, sheet: 'app', status },
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
