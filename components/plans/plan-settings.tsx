import { Icon } from '#components/icons/icon.tsx'
import { PlanCounts } from '#components/plans/plan-words.tsx'
import { PlanBadge } from '#components/ui/badge.tsx'
import { ListTable } from '#components/ui/list-table.tsx'
import { Note } from '#components/ui/note.tsx'
import { renewHref, upgradeHref } from '#domain/dashboard.ts'
import { formatRupees } from '#domain/number.ts'
import { type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'
import { receiptHref } from '#domain/settings.ts'

export type PlanSettingsView = {
  plan: PlanId
  /** whole rupees a month */
  price: number
  /** the day on which the plan ends, as it is shown; null without end */
  until: string | null
  days_left: number | null
  /** what ended and when, until it is renewed */
  ended: string | null
  /** the day on which a permission for the plan ends */
  given_until?: string | undefined
  /** the plan to renew or to upgrade to */
  offer: PaidPlan | undefined
  qr_count: number
  /** -1 means unlimited */
  qr_limit: number
  child_qr_quota: number
}

export type ReceiptRow = {
  number: string
  issued: string
  plan: string
  from: string
  /** null without end */
  until: string | null
  amount: number
}

/** The plan of an account, its end, its features, and the receipts. */
export function PlanSettings({
  view,
  receipts,
}: {
  view: PlanSettingsView
  receipts: ReceiptRow[]
}) {
  return (
    <>
      <PlanSheet view={view} />
      <section className="sheet" aria-labelledby="gives">
        <h2 id="gives">{`What ${PLANS[view.plan].name} gives you`}</h2>
        <ul className="rows">
          {PLANS[view.plan].links.map(({ text, href, icon }) => (
            <li key={text} className="to">
              <a href={href}>
                <Icon name={icon} />
                {text}
                <Icon name="chev" />
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section className="sheet" aria-labelledby="receipts">
        <h2 id="receipts">Receipts</h2>
        {receipts.length > 0 ? (
          <Receipts receipts={receipts} />
        ) : (
          <p className="soft">The receipts of your upgrades are listed here.</p>
        )}
      </section>
    </>
  )
}

function PlanSheet({ view }: { view: PlanSettingsView }) {
  const { plan, price, until, given_until, ended, qr_count, qr_limit } = view
  return (
    <section className="sheet" aria-label="Plan">
      <div className="row gap-2">
        <PlanBadge plan={plan} />
        <span className="small soft">{`${formatRupees(price)} per month`}</span>
      </div>
      {ended && (
        <Note tone="warn" icon="clock" title={`${ended}.`}>
          Nothing is deleted. Renew, and all is back.
        </Note>
      )}
      {until && (
        <>
          <p className="text-xl">
            <b>{`Until ${until}`}</b>
          </p>
          <p className="soft">
            {`${daysText(view.days_left ?? 0)} We remind you 7 days and 1 day before. Renewing now adds to the end.`}
          </p>
        </>
      )}
      {given_until && (
        <>
          <p className="text-xl">
            <b>{`Until ${given_until}`}</b>
          </p>
          <p className="soft">
            It was given to you until then. Months that you buy now begin after it.
          </p>
        </>
      )}
      <div className="stack gap-1">
        <PlanCounts view={view} />
        {qr_limit >= 0 && <progress max={qr_limit} value={qr_count} aria-label="QR codes used" />}
      </div>
      <div className="save">
        <Offer view={view} />
        <a className="btn" href={upgradeHref('promo')}>
          <Icon name="ticket" />
          Redeem a promo code
        </a>
      </div>
    </section>
  )
}

function Offer({ view: { plan, offer, ended } }: { view: PlanSettingsView }) {
  if (!offer) return null
  return (
    <a className="btn btn-main" href={renewHref(offer)}>
      <Icon name="crown" />
      {offer === plan || ended ? 'Renew' : 'Upgrade'}
    </a>
  )
}

function daysText(days: number): string {
  if (days === 0) return 'It ends today.'
  return days === 1 ? '1 day left.' : `${days} days left.`
}

function Receipts({ receipts }: { receipts: ReceiptRow[] }) {
  return (
    <ListTable
      label="Receipts"
      rows={receipts}
      idOf={({ number }) => number}
      head={{ label: 'Receipt', cell: ({ number }) => <b className="num">{number}</b> }}
      columns={[
        { label: 'Date', cell: ({ issued }) => issued },
        { label: 'Plan', cell: ({ plan }) => plan },
        {
          label: 'Period',
          cell: ({ from, until }) => (until ? `${from} to ${until}` : `from ${from}, no end`),
        },
        { label: 'Amount', cell: ({ amount }) => formatRupees(amount) },
      ]}
      actions={({ number }) => (
        <a className="btn btn-sm" href={receiptHref(number)} download>
          <Icon name="download" />
          PDF
          <span className="vh">{` of ${number}`}</span>
        </a>
      )}
    />
  )
}
