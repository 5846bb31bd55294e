import type { ReactElement } from 'react'
import { todayOf } from '#actions/papers/due.ts'
import { headingOf } from '#components/papers/code-heading.tsx'
import { typeIcon } from '#components/papers/document-entry.tsx'
import { type PaperEndView, PapersByEnd } from '#components/papers/papers-by-end.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { type DueItem, listDue } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import { accessibleName } from '#domain/codes/code-title.ts'
import { dialogHref, FIRST_PLACE, type QrPlace, tabHref } from '#domain/dashboard.ts'
import { dueDateText, dueName, dueState } from '#domain/papers/due.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { Redirect } from '#routes/_http/lists.ts'

const ENDS_A_PAGE = 24
/** Each page is read with those before it, and nobody turns so many to find a date. */
const LAST_PAGE = 50

/** Renders the papers and services of all codes with a date, the nearest first. */
export async function renderPapersByEnd(
  c: AppContext,
  account: Account,
  place: QrPlace,
): Promise<ReactElement> {
  const page = Math.min(place.page, LAST_PAGE)
  const href = (to: number) => tabHref('documents', { ...place, page: to })
  const from = (page - 1) * ENDS_A_PAGE
  const read = await listDue(c.var.deps.db, account, { limit: from + ENDS_A_PAGE + 1 })
  if (page > 1 && read.length <= from) throw new Redirect(href(1))
  const today = todayOf(c.var.deps)
  const ends = read.slice(from, from + ENDS_A_PAGE).map((item) => toView(item, today))
  const hasNext = read.length > from + ENDS_A_PAGE && page < LAST_PAGE
  const previous = page > 1 ? href(page - 1) : undefined
  const next = hasNext ? href(page + 1) : undefined
  return (
    <>
      <PapersByEnd ends={ends} />
      {(previous || next) && <Pager page={page} previous={previous} next={next} />}
    </>
  )
}

function toView(item: DueItem, today: string): PaperEndView {
  const { kind, qr_id, document_id, document_type, ends_on } = item
  const ofCode = { ...FIRST_PLACE, q: qr_id }
  return {
    id: `${qr_id} ${document_id ?? kind}`,
    icon: document_type ? typeIcon(document_type) : kind === 'service' ? 'clock' : 'shield',
    name: dueName(item),
    end: { text: dueDateText(item, today), state: dueState(ends_on, today) },
    heading: headingOf(item),
    about: accessibleName(item),
    act: document_id
      ? { label: 'Open', href: `${tabHref('documents', ofCode)}#document-${document_id}` }
      : { label: 'Edit', href: dialogHref('edit', ofCode, qr_id) },
  }
}
