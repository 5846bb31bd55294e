import type { ReactElement } from 'react'
import type { Account } from '#db/schema.ts'
import { cleanQrFields } from '#domain/codes/qr.ts'
import { type QrForm, type QrProblems, qrFormProblems, readQrForm } from '#domain/codes/qr-form.ts'
import { placeHref, type QrPlace, readPlace } from '#domain/dashboard.ts'
import type { ErrorCode } from '#domain/error.ts'
import type { FormNotice } from '#islands/codes/_qr-form.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { renderMyQrs } from '#routes/dashboard/codes/_my-qrs.tsx'

export type Post = { account: Account; place: QrPlace; form: QrForm }

export async function readPost(c: AppContext): Promise<Post> {
  const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
  return { account: requireAccount(c), place: readPlace(c.req.query()), form }
}

type Act = {
  done: Done
  act: () => Promise<unknown>
  /** the dialog that sent it, with what was typed and why it was refused */
  again: (message: string, code: ErrorCode) => ReactElement | Promise<ReactElement>
  /** what else the address says when it is done */
  rest?: () => Record<string, string>
  /** shows what is told in this answer alone, which is no redirect then */
  secret?: () => ReactElement | undefined
}

/** Leads back to the place in the list, or shows the dialog again. */
export async function perform(c: AppContext, { account, place }: Post, todo: Act) {
  const { done, act, again, rest, secret } = todo
  const refusal = await refusalOf(act())
  if (refusal) {
    return renderMyQrs(c, account, {
      dialog: await again(refusal.message, refusal.code),
      code: refusal.code,
    })
  }
  const dialog = secret?.()
  if (dialog) return renderMyQrs(c, account, { dialog })
  return c.redirect(placeHref(place, { done, ...rest?.() }), 303)
}

type FormAct = Omit<Act, 'again'> & {
  /** what was not done, when it was for no field's sake */
  failed: string
  again: (state: { typed: QrForm; problems: QrProblems; notice?: FormNotice }) => ReactElement
}

/** As `perform`, for the form that has problems at its fields. */
export async function performForm(c: AppContext, post: Post, { again, failed, ...todo }: FormAct) {
  const problems = qrFormProblems(post.form)
  const typed = typedIn(post.form)
  if (Object.keys(problems).length > 0) {
    return renderMyQrs(c, post.account, { dialog: again({ typed, problems }), code: 'invalid' })
  }
  return perform(c, post, {
    ...todo,
    again: (message, code) => {
      // The limit of a plan is no failure, and says all there is to say.
      const notice = code === 'plan_limit' ? { text: message } : { text: failed, reason: message }
      return again({ typed, problems, notice })
    },
  })
}

/** All that was typed but the PIN, which no page repeats. */
function typedIn(form: QrForm) {
  const { optional_pin, ...typed } = cleanQrFields(readQrForm(form))
  return optional_pin === null ? { ...typed, optional_pin } : typed
}
