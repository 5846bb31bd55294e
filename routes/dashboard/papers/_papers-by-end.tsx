import type { ReactElement } from 'react'
import { todayOf } from '#actions/papers/due.ts'
import { headingOf } from '#components/papers/code-heading.tsx'
import { typeIcon } from '#components/papers/document-entry.tsx'
import { type PaperEndView, PapersByEnd } from '#components/papers/papers-by-end.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { type DueItem, listCodesWith, listDue } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import { accessibleName } from '#domain/codes/code-title.ts'
import { dialogHref, FIRST_PLACE, type QrPlace, tabHref } from '#domain/dashboard.ts'
import { dueDateText, dueName, dueState } from '#domain/papers/due.ts'
import { has } from '#domain/people/roles.ts'
import type { Holder } from '#domain/people/share.ts'
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
  const shown = read.slice(from, from + ENDS_A_PAGE)
  const mayEdit = await editableAmong(c, account, shown)
  const ends = shown.map((item) => toView(item, { today, mayEdit: mayEdit(item) }))
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

/** Asks which codes the account may edit only where a role lets it look at others. */
async function editableAmong(c: AppContext, account: Account & Holder, items: DueItem[]) {
  const isAble = account.shares?.every(({ role }) => has(role, 'edit')) ?? true
  if (isAble || items.length === 0) return () => true
  const qrIds = items.map(({ qr_id }) => qr_id)
  const able = await listCodesWith(c.var.deps.db, account, qrIds, 'edit')
  return ({ qr_id }: DueItem) => able.has(qr_id)
}

function toView(
  item: DueItem,
  { today, mayEdit }: { today: string; mayEdit: boolean },
): PaperEndView {
  const { kind, qr_id, document_id, document_type, ends_on } = item
  const ofCode = { ...FIRST_PLACE, q: qr_id }
  const documents = tabHref('documents', ofCode)
  return {
    id: `${qr_id} ${document_id ?? kind}`,
    icon: document_type ? typeIcon(document_type) : kind === 'service' ? 'clock' : 'shield',
    name: dueName(item),
    end: { text: dueDateText(item, today), state: dueState(ends_on, today) },
    heading: headingOf(item),
    about: accessibleName(item),
    act:
      document_id || !mayEdit
        ? { label: 'Open', href: document_id ? `${documents}#document-${document_id}` : documents }
        : { label: 'Edit', href: dialogHref('edit', ofCode, qr_id) },
  }
}
