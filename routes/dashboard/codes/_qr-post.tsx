import { isValidElement, type ReactElement } from 'react'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { offeredBy, type PhoneField } from '#domain/codes/phones.ts'
import { cleanQrFields, QR_REFUSALS } from '#domain/codes/qr.ts'
import { type QrForm, type QrProblems, qrFormProblems, readQrForm } from '#domain/codes/qr-form.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { placeHref, type QrPlace, readPlace } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import type { FormNotice } from '#islands/codes/_qr-form.ts'
import { englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { perform } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { renderMyQrs, renderRefused } from '#routes/dashboard/codes/_my-qrs.tsx'

/** A form of My QR Codes, and the place in the list that it came from. */
export type Post = { account: Account; place: QrPlace; form: QrForm }

export async function readPost(c: AppContext): Promise<Post> {
  const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
  return { account: requireAccount(c), place: readPlace(c.req.query()), form }
}

/** Reads a form about the code in the path. Throws not_found for a code that is not the account's. */
export async function readCodePost(c: AppContext): Promise<Post & { code: OwnQrCode }> {
  const post = await readPost(c)
  const qrId = requireQrId(c.req.param('qr_id') ?? '')
  return { ...post, code: await getOwnQrCode(c.var.deps.db, post.account, qrId) }
}

/** Returns the key that makes sending a form twice harmless; pages of an earlier version have none. */
export function keyOf({ form }: Post): string | undefined {
  return form.form_key ? String(form.form_key) : undefined
}

type QrAct<T> = {
  act: () => T | Promise<T>
  /**
   * returns the outcome for the address of the list, the address of another page, or a dialog with a secret that
   * no address may have
   */
  done: (result: T) => ({ done: Done } & Record<string, string>) | string | ReactElement
  /** returns the dialog that sent the form, with its fields and the reason */
  again: (refusal: DomainError) => ReactElement | Promise<ReactElement>
}

/** Performs a form and redirects to its place in the list, or shows the dialog again. */
export function performQr<T>(
  c: AppContext,
  { account, place }: Post,
  { act, done, again }: QrAct<T>,
): Promise<Response> {
  return perform(c, {
    act,
    done: (result) => {
      const outcome = done(result)
      if (typeof outcome === 'string') return outcome
      return isValidElement(outcome)
        ? renderMyQrs(c, account, { dialog: outcome })
        : placeHref(place, outcome)
    },
    refused: async (refusal) => renderRefused(c, account, refusal, await again(refusal)),
  })
}

type FieldsAct<T> = Omit<QrAct<T>, 'again'> & {
  /** the title of a refusal that is about no field */
  failed: string
  again: (state: {
    typed: QrForm
    problems: QrProblems
    offered?: PhoneField
    notice?: FormNotice
  }) => Promise<ReactElement>
}

/** Performs the form of a code's fields, which shows problems beside its fields. */
export async function performFields<T>(
  c: AppContext,
  post: Post,
  { again, failed, ...todo }: FieldsAct<T>,
): Promise<Response> {
  const problems = qrFormProblems(post.form, englishTexts(QR_REFUSALS))
  const typed = typedIn(post.form)
  if (Object.keys(problems).length > 0) {
    c.status(400)
    return renderMyQrs(c, post.account, { dialog: await again({ typed, problems }) })
  }
  return performQr(c, post, {
    ...todo,
    again: ({ message, kind, code }) => {
      const offered = offeredBy(code)
      if (offered) return again({ typed, problems: { [offered]: message }, offered })
      // The sentence about the limit of a plan is complete without a title.
      const notice = kind === 'plan_limit' ? { text: message } : { text: failed, reason: message }
      return again({ typed, problems, notice })
    },
  })
}

/** Returns everything typed but the PIN, which no page repeats. */
function typedIn(form: QrForm) {
  const { optional_pin, ...typed } = cleanQrFields(readQrForm(form))
  return optional_pin === null ? { ...typed, optional_pin } : typed
}
