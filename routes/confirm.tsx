import type { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { DomainError } from '#domain/error.ts'
import { confirmYou, goOn, openHeld, renderConfirm } from '#routes/_http/accounts/confirm.tsx'
import { readAnswer, shownForm } from '#routes/_http/accounts/factor-forms.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireSession } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'

/** Takes the answer to a confirmation, and sends the waiting form. */
export function confirm(app: OpenAPIHono<AppEnv>) {
  return new Hono<AppEnv>().post('/', async (c) => {
    const session = requireSession(c)
    const { form } = await readForm(c)
    const held = openHeld(c, session, form.held)
    if (!held) throw new DomainError('conflict.took_too_long')
    const shown = parseForm(shownForm, { ...form, passkey: readAnswer(form.passkey) })
    return perform(c, {
      act: () => confirmYou(c, session, shown),
      done: () => goOn(c, app, held),
      refused: (refusal) => renderConfirm(c, session, held, refusal),
    })
  })
}
