import { z } from '@hono/zod-openapi'
import { rowsOfPage } from '#routes/_http/lists.ts'
import { mustBe, text } from '#routes/_http/schema.ts'

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
