import type { AppContext } from '#routes/_deps.ts'

export type Form = Record<string, string>

/** What a page's own form sent, and again without the passwords, which no page repeats. */
export async function readForm(c: AppContext): Promise<{ form: Form; values: Form }> {
  const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
  const { password: _, confirm_password: __, ...values } = form
  return { form, values }
}
