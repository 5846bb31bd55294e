import { Hono } from 'hono'
import { tabHref } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { answerReset } from '#routes/dashboard/families/_reset-question.ts'

/** The owner's answer whether they asked for the password reset. */
export const resetQuestionForm = new Hono<AppEnv>().use(signedIn).post('/', async (c) => {
  const { answer } = (await readForm(c)).form
  if (answer !== 'yes' && answer !== 'no') {
    throw new DomainError('invalid.reset_answer')
  }
  const opens = await answerReset(c, requireAccount(c), answer === 'yes')
  const confirmed = opens ? 'reset-confirmed' : 'reset-thanks'
  const done = answer === 'yes' ? confirmed : 'reset-denied'
  return c.redirect(tabHref('my-qrs', undefined, { done }), 303)
})
