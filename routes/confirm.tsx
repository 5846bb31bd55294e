import type { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { DomainError } from '#domain/error.ts'
import { confirmYou, goOn, openHeld, renderConfirm } from '#routes/_http/accounts/confirm.tsx'
import type { AppEnv } from '#routes/_http/deps.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireSession } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'

/** Where the question is answered who is signed in. It goes on with the form that waited. */
export function confirm(app: OpenAPIHono<AppEnv>) {
  return new Hono<AppEnv>().post('/', async (c) => {
    const session = requireSession(c)
    const { form } = await readForm(c)
    const held = openHeld(c, session, form.held)
    if (!held) throw new DomainError('conflict', 'That took too long. Please do it again.')
    const refusal = await refusalOf(confirmYou(c, session, form))
    return refusal ? renderConfirm(c, session, held, refusal) : goOn(c, app, held)
  })
}
