import type { AppContext } from '#routes/_http/deps.ts'

export type Form = Record<string, string>

/** What a page's own form sent, and again without the passwords, which no page repeats. */
export async function readForm(c: AppContext): Promise<{ form: Form; values: Form }> {
  const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
  const { password: _, confirm_password: __, ...values } = form
  return { form, values }
}

/** What names a place in a list. */
const PLACE = ['tab', 'show', 'q', 'page', 'status', 'state', 'role', 'plan', 'type', 'layout']

/**
 * Leads back to a page once its form was taken, and says what was done. The place in the list that
 * the form was sent from is kept, where the browser says it.
 */
export function leadBack(c: AppContext, href: string, outcome: Record<string, string>): Response {
  const page = new URL(href, 'http://page')
  const query = placeOf(c.req.header('Referer'), page) ?? page.searchParams
  for (const [name, value] of Object.entries(outcome)) if (value) query.set(name, value)
  return c.redirect(`${page.pathname}?${query}`, 303)
}

function placeOf(referer: string | undefined, page: URL): URLSearchParams | undefined {
  const from = referer && URL.canParse(referer) ? new URL(referer) : undefined
  if (from?.pathname !== page.pathname) return undefined
  const isSame = ['tab', 'show'].every(
    (name) => from.searchParams.get(name) === page.searchParams.get(name),
  )
  const place = [...from.searchParams].filter(([name]) => PLACE.includes(name))
  return isSame ? new URLSearchParams(place) : undefined
}
