import type { ComponentProps, ReactElement } from 'react'
import { dueUntil, todayOf } from '#actions/papers/due.ts'
import { ListFiles } from '#components/codes/list-files.tsx'
import { QrFinds, WhoseLinks } from '#components/dashboard/qr-finds.tsx'
import { QrLead } from '#components/dashboard/qr-lead.tsx'
import { DueOne, type DueOneView } from '#components/papers/due-one.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { type DueItem, listDue } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import { titleOf } from '#domain/codes/code-title.ts'
import { isNarrowed, placeHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import { dueState, dueText } from '#domain/papers/due.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { alertsLine } from '#routes/dashboard/codes/_alerts-line.tsx'
import { countShown, MOST_ENDS } from '#routes/dashboard/codes/_code-list.ts'
import { type CodeList, QrCards } from '#routes/dashboard/codes/_selection.tsx'

type Above = Omit<ComponentProps<typeof QrLead>, 'isList' | 'rights' | 'children'> & {
  title: string
  news: ReactElement | null
}

/** Renders the codes below title, plan and acts. The search and the view come with the second code. */
export async function renderList(
  c: AppContext,
  account: Account,
  list: CodeList,
  { title, news, ...lead }: Above,
): Promise<ReactElement> {
  const { place, total } = list
  const isList = total > 1 || isNarrowed(place)
  return (
    <>
      {news}
      <div className="lead">
        <QrLead {...lead} isList={isList} rights={list.rights}>
          {title}
        </QrLead>
        {isList && (await renderFinds(c, account, list))}
        {!isList && list.hasShared && <WhoseLinks place={place} />}
      </div>
      <QrCards c={c} list={list} />
      {await alertsLine(c, account, list.qr_codes)}
      <ListPager
        page={place.page}
        pages={list.pages}
        href={(page) => placeHref({ ...place, page })}
      />
      {isList && total > 0 && !place.filter && (
        <ListFiles place={place} total={total} rights={list.rights} />
      )}
    </>
  )
}

async function renderFinds(c: AppContext, account: Account, list: CodeList): Promise<ReactElement> {
  const range = { until: dueUntil(c.var.deps), limit: MOST_ENDS }
  // The ends of all codes stand above all codes alone.
  const due = list.place.shared ? [] : await listDue(c.var.deps.db, account, range)
  const counts = await countShown(c, account, list, due)
  const [nearest] = due
  return (
    <>
      <QrFinds {...list} counts={counts} />
      {nearest && list.place.filter !== 'due' && (
        <DueOne view={toDueView(c, nearest, due.length - 1)} />
      )}
    </>
  )
}

function toDueView(c: AppContext, item: DueItem, others: number): DueOneView {
  const today = todayOf(c.var.deps)
  const isAll = others + 1 < MOST_ENDS
  return {
    text: dueText(item, today),
    isOver: dueState(item.ends_on, today) === 'expired',
    title: titleOf(item),
    more: others === 0 ? '' : `${formatCount(others)}${isAll ? '' : '+'}`,
  }
}
