import type { OpenAPIHono } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { ConfirmPage, type ConfirmWays } from '#components/accounts/confirm-dialog.tsx'
import { findWays } from '#db/accounts/factor-state.ts'
import { noteProven } from '#db/accounts/session-list.ts'
import type { Session } from '#db/accounts/sessions.ts'
import { toInstant } from '#db/cast.ts'
import { seal, unseal } from '#db/secrets.ts'
import { CONFIRM_YOU, confirmedAct, isFresh } from '#domain/accounts/confirmation.ts'
import { DomainError } from '#domain/error.ts'
import { requireShown, type Shown } from '#routes/_http/accounts/factors.ts'
import { type AppContext, type AppEnv, isApi } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** The request of a form that waits for a confirmation. */
type Held = { path: string; body: string; at: string; next: string; isDownload: boolean }

/** A form is kept in the page for as long as somebody may need to answer. */
const HELD_MS = 600_000

/**
 * Refuses the acts of the list to a session without a recent confirmation. A page asks for it, and sends the
 * form afterwards. The route refuses callers who are not signed in.
 */
export const askAgain = createMiddleware<AppEnv>(async function askAgain(c, next) {
  const act = confirmedAct(c.req.method, c.req.path)
  const { session, deps } = c.var
  const isAsked = act && session && !isFresh(session.provenAt, deps.clock())
  if (!isAsked || (act.isForPasswordless && session.account.password_hash !== null)) return next()
  if (act.isFor && !act.isFor(await readFields(c))) return next()
  if (isApi(c)) throw new DomainError('forbidden.confirm', { confirm: true })
  const { pathname, search } = new URL(c.req.url)
  const { next: what, isDownload = false } = act
  const at = toInstant(deps.clock())
  return renderConfirm(c, session, {
    path: pathname + search,
    body: await c.req.text(),
    at,
    next: what,
    isDownload,
  })
})

/** Reads the fields of a request; none of a body that is malformed, which the route refuses. */
async function readFields(c: AppContext): Promise<Record<string, unknown>> {
  if (!isApi(c)) return (await readForm(c)).form
  const body: unknown = await c.req.json().catch(() => undefined)
  return Object(body)
}

/** Renders the question, with the waiting form sealed for this session alone. */
export async function renderConfirm(
  c: AppContext,
  session: Session,
  held: Held,
  refusal?: DomainError,
): Promise<Response> {
  const status = refusal ? undefined : 403
  const page = { title: CONFIRM_YOU, sheet: 'app', part: 'settings', status } as const
  return renderPage(
    c,
    page,
    <ConfirmPage
      held={seal(c.var.deps.secretKey, sealOf(session), JSON.stringify(held))}
      next={held.next}
      isDownload={held.isDownload}
      ways={await waysOf(c, session)}
      problem={refusal}
      isAlone={c.var.account === undefined}
    />,
  )
}

/** Returns the ways in which the holder of an account can confirm. */
async function waysOf(c: AppContext, { account }: Session): Promise<ConfirmWays> {
  const ways = await findWays(c.var.deps.db, account.id)
  return {
    password: account.password_hash !== null,
    code: ways.includes('code'),
    passkey: ways.includes('passkey'),
  }
}

/** Returns the waiting form, or undefined for one of another session or one that has waited too long. */
export function openHeld(c: AppContext, session: Session, sealed = ''): Held | undefined {
  const { secretKey, clock } = c.var.deps
  const text = unseal(secretKey, sealOf(session), sealed)
  if (text === undefined) return undefined
  const held = JSON.parse(text) as Held
  const age = clock().getTime() - Date.parse(held.at)
  return Math.abs(age) <= HELD_MS ? held : undefined
}

function sealOf({ id }: Session): string {
  return `held ${id}`
}

/** Sends the waiting form to its route. */
export function goOn(c: AppContext, app: OpenAPIHono<AppEnv>, { path, body }: Held) {
  const headers = new Headers(c.req.header())
  headers.set('Content-Type', 'application/x-www-form-urlencoded')
  headers.delete('Content-Length')
  const url = new URL(path, c.req.url)
  return app.fetch(new Request(url, { method: 'POST', headers, body }), c.env)
}

/** Opens the ten minutes for the session of the request. Throws invalid, unauthenticated and too_many. */
export async function confirmYou(c: AppContext, session: Session, shown: Shown): Promise<void> {
  const { deps } = c.var
  await requireShown(c, session.account, shown)
  await noteProven(deps.db, session.id, deps.clock())
}
