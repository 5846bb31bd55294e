import { withKept } from '#domain/decision.ts'
import { DomainError, NotSignedIn } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { STATUS } from '#routes/_http/problems.ts'

export type Form = Record<string, string>

/** Reads the fields of a page's form. `values` leaves out passwords, which no page shows again. */
export async function readForm(c: AppContext): Promise<{ form: Form; values: Form }> {
  const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
  const { password: _, confirm_password: __, ...values } = form
  return { form, values }
}

/** Reads the state that a switch of a form asks for, so that sending the form twice changes nothing more. */
export async function readSwitch(c: AppContext, field: string): Promise<boolean | undefined> {
  const value = (await readForm(c)).form[field]
  return value === undefined ? undefined : value === 'true'
}

/** Moves the fields of a form into the query, for a page whose query is too long for an address. */
export async function takeFormAsAddress(c: AppContext): Promise<void> {
  const { url, method, raw } = c.req
  const address = new URL(url)
  const fields = new URLSearchParams(await c.req.text())
  address.search = String(new URLSearchParams([...address.searchParams, ...fields]))
  c.req.raw = new Request(address, { method, headers: raw.headers })
}

/** Checks whether the request is a form that may contain a file. */
export function isMultipart(c: AppContext): boolean {
  return /^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? '')
}

type Submission<T> = {
  act: () => T | Promise<T>
  /** answers a success: an address to redirect to, or a page that shows what no address may have */
  done: (result: T) => string | Response | Promise<string | Response>
  /** answers a refusal: mostly the page with the reason beside the field and everything still typed */
  refused: (refusal: DomainError) => Response | Promise<Response>
  /** a further code that the page shows beside its form */
  also?: 'not_found'
}

/**
 * Performs the act of a page's form. The answer to a refusal gets its status and Retry-After. Throws
 * not_found unless `also` names it, and every error of an ended session, whose page shows nothing any more.
 */
export async function perform<T>(
  c: AppContext,
  { act, done, refused, also }: Submission<T>,
): Promise<Response> {
  let result: T
  try {
    result = await act()
  } catch (error) {
    const isShown = error instanceof DomainError && (error.kind !== 'not_found' || also)
    if (!isShown || error instanceof NotSignedIn) throw error
    setRefusal(c, error)
    return refused(error)
  }
  const answer = await done(result)
  return typeof answer === 'string' ? c.redirect(answer, 303) : answer
}

/** Gives a page that shows a refusal its status, and the headers that go with it. */
export function setRefusal(c: AppContext, { kind, retryAfter }: DomainError): void {
  if (kind === 'unauthenticated') c.header('WWW-Authenticate', 'Bearer')
  c.status(STATUS[kind])
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
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
  'kept',
]

/**
 * Redirects to a page after its form succeeded, with the outcome in the query. The place in the list
 * is kept if the Referer header has it, and in the list that of a decided thing by its id.
 */
export function redirectBack(
  c: AppContext,
  href: string,
  outcome: Record<string, string>,
  decidedId?: string,
): Response {
  const page = new URL(href, 'http://page')
  const query = placeOf(c.req.header('Referer'), page) ?? page.searchParams
  for (const [name, value] of Object.entries(outcome)) if (value) query.set(name, value)
  if (decidedId) query.set('kept', withKept(query.get('kept') ?? undefined, decidedId))
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
