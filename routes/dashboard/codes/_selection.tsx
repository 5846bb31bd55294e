import type { ReactElement } from 'react'
import { NoQrCodes, NoQrCodesFound, NothingOf } from '#components/codes/dashboard-empty.tsx'
import { QrCard } from '#components/codes/qr-card.tsx'
import type { Company } from '#components/fleets/company-select.tsx'
import { QrSelect, SelectPager } from '#components/fleets/select-form.tsx'
import type { CardCode } from '#db/codes/card-codes.ts'
import type { DueItem } from '#db/papers/due.ts'
import type { PendingTransfer } from '#db/transfers/transfers.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { type QrLayout, type QrPlace, readSelectFor } from '#domain/dashboard.ts'
import type { Right } from '#domain/people/roles.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { type CardViewer, toQrCardView } from '#routes/dashboard/codes/_qr-card.ts'

/** A page of the list of codes, with the data of its cards and filters. */
export type CodeList = {
  place: QrPlace
  layout: QrLayout
  total: number
  pages: number
  qr_codes: CardCode[]
  companies: Company[]
  viewer: CardViewer
  /** whether others share codes with the account */
  hasShared: boolean
  /** those that the account has on any code of the list */
  rights: ReadonlySet<Right>
  /** whether any of them may go to another company */
  setsFleet: boolean
  /** the next end by the public id of a code, and the transfer by its own id */
  dueOf: Map<string, DueItem>
  transfers: Map<string, PendingTransfer>
}

export function isSelecting(c: AppContext): boolean {
  return readPurpose(c) !== undefined
}

function readPurpose(c: AppContext) {
  return readSelectFor(c.req.query('select'))
}

/** Reads the selection from the address: ids one by one, or the whole list. */
export function readTicks(c: AppContext) {
  const sent = (c.req.queries('ids') ?? []).flatMap((list) => list.split(','))
  const ids = new Set(sent.flatMap((id) => parseQrId(id) ?? []))
  return { ids, isAll: c.req.query('all') === '1' }
}

export function renderSelection(c: AppContext, list: CodeList): ReactElement {
  const { place, pages, qr_codes } = list
  const { ids, isAll } = readTicks(c)
  const here = qr_codes.filter(({ qr_id }) => ids.has(qr_id)).map(({ qr_id }) => qr_id)
  const purpose = readPurpose(c) ?? '1'
  const elsewhere = isAll ? [] : [...ids].filter((id) => !here.includes(id))
  return (
    <>
      <h1 tabIndex={-1}>{purpose === 'labels' ? 'Choose codes to print' : 'Select QR codes'}</h1>
      <QrSelect {...{ ...list, purpose, elsewhere, isAll }} here={here.length}>
        <QrCards c={c} list={list} />
        <SelectPager page={place.page} pages={pages} />
      </QrSelect>
    </>
  )
}

/** Renders the codes of a page, with ticks during a selection. */
export function QrCards({ c, list }: { c: AppContext; list: CodeList }) {
  const { place, layout, total, qr_codes, viewer, dueOf, transfers } = list
  const { ids, isAll } = readTicks(c)
  const { q, company_fleet_name, filter, shared } = place
  if (total === 0) {
    const search = q || company_fleet_name
    if (search) return <NoQrCodesFound search={search} />
    if (filter) return <NothingOf filter={filter} />
    return shared === 'shared' ? <NothingOf filter="shared" /> : <NoQrCodes />
  }
  const right = readPurpose(c) === 'labels' ? 'print' : 'download'
  return (
    <section className="codes-grid" data-layout={layout} aria-label="QR codes">
      {qr_codes.map((code) => (
        <QrCard
          key={code.id}
          view={toQrCardView(c, viewer, code, {
            due: dueOf.get(code.qr_id),
            transfer: transfers.get(code.id),
          })}
          place={place}
          choice={isSelecting(c) ? { isTicked: ids.has(code.qr_id), isAll, right } : undefined}
        />
      ))}
    </section>
  )
}
