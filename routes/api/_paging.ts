import { z } from '@hono/zod-openapi'
import type { AppContext } from '#routes/_http/context.ts'
import { rowsOfPage } from '#routes/_http/lists.ts'
import { mustBe, text } from '#routes/_http/schema.ts'
import { answer } from '#routes/api/_payloads.ts'

const PAGE_SIZE = 20
const LONGEST_PAGE = 100
const LAST_PAGE = 1_000_000

/** The query fields of a list call. */
export const pageFields = {
  page: wholeNumber('page', LAST_PAGE),
  limit: wholeNumber('limit', LONGEST_PAGE),
  search: text('search').openapi({ type: 'string' }),
}

/** Turns page and limit into rows. Without both, the answer is the whole list. */
export function toPage<T extends { page?: number | undefined; limit?: number | undefined }>({
  page,
  limit,
  ...rest
}: T) {
  if (page === undefined && limit === undefined) return rest
  return { ...rest, ...rowsOfPage(page ?? 1, limit ?? PAGE_SIZE) }
}

export const pageQuery = z.object(pageFields).transform(toPage)

const Link = z.string().optional().openapi({ description: 'of a page: first, prev, next and last' })
const total = z.object({ Link, 'X-Total-Count': z.int() })

/** Describes a list with its total in the answer. */
export function pagedAnswer<T extends z.ZodType>(description: string, schema: T) {
  return { ...answer(description, schema), headers: z.object({ Link }) } as const
}

/** Describes a list that is an array, with its total in a header. */
export function countedAnswer<T extends z.ZodType>(description: string, schema: T) {
  return { ...answer(description, schema), headers: total } as const
}

/** Links a page of a list to the other pages (RFC 8288). */
export function linkPages(c: AppContext, query: object, total: number): void {
  const { limit, offset = 0 } = query as { limit?: number; offset?: number }
  if (limit === undefined) return
  const page = offset / limit + 1
  const last = Math.max(1, Math.ceil(total / limit))
  const pages = {
    first: 1,
    ...(page > 1 && { prev: Math.min(page - 1, last) }),
    ...(page < last && { next: page + 1 }),
    last,
  }
  const { pathname, searchParams } = new URL(c.req.url)
  const links = Object.entries(pages).map(([rel, number]) => {
    searchParams.set('page', String(number))
    return `<${c.var.deps.config.publicUrl}${pathname}?${searchParams}>; rel="${rel}"`
  })
  c.header('Link', links.join(', '))
}

function wholeNumber(name: string, most: number) {
  const error = mustBe(name, `a whole number from 1 to ${most}`)
  return z
    .string({ error })
    .regex(/^(?:[1-9]\d*)?$/, error)
    .refine((digits) => Number(digits) <= most, error)
    .transform((digits) => (digits ? Number(digits) : undefined))
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: most })
}
