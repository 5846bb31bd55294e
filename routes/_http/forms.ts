import type { AppContext } from '#routes/_http/context.ts'

export type Form = Record<string, string>

/** The fields of a page's form. `values` leaves out passwords, which no page shows again. */
export async function readForm(c: AppContext): Promise<{ form: Form; values: Form }> {
  const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
  const { password: _, confirm_password: __, ...values } = form
  return { form, values }
}

/** The state that a switch or button of a page's form asks for, so that a form sent twice says the same twice. */
export async function readSwitch(c: AppContext, field: string): Promise<boolean | undefined> {
  const value = (await readForm(c)).form[field]
  return value === undefined ? undefined : value === 'true'
}

/** Has a page read the fields of a form as those of its address, where they may be too many for one. */
export async function takeFormAsAddress(c: AppContext): Promise<void> {
  const { url, method, raw } = c.req
  const address = new URL(url)
  const fields = new URLSearchParams(await c.req.text())
  address.search = String(new URLSearchParams([...address.searchParams, ...fields]))
  c.req.raw = new Request(address, { method, headers: raw.headers })
}

/** Whether the request is a form that may have a file in it. */
export function isMultipart(c: AppContext): boolean {
  return /^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? '')
}

/** The query parameters of a place in a list. */
const PLACE = [
  'tab',
  'show',
  'q',
  'company_fleet_name',
  'page',
  'status',
  'state',
  'role',
  'plan',
  'type',
  'layout',
  'filter',
  'sort',
]

/**
 * Redirects to a page after its form succeeded, with the outcome in the query. The place in the list
 * is kept if the Referer header has it.
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
