import type { ReactElement } from 'react'
import { DecideLinks } from '#components/admin/decide-links.tsx'
import { UserCell } from '#components/admin/user-table.tsx'
import { OwnRequest } from '#components/plans/upgrade-card.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { ListTable } from '#components/ui/list-table.tsx'
import { Note } from '#components/ui/note.tsx'
import { countPending } from '#db/plans/decisions.ts'
import { type ListedRedemption, listRedemptions } from '#db/plans/redemption-decisions.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { DECISION_FILTERS, findDecisionStatus, readKept } from '#domain/decision.ts'
import { formatCount } from '#domain/number.ts'
import { formatDateTime } from '#domain/time.ts'
import { type ListScreen, renderList } from '#routes/_admin/lists.tsx'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the redemptions, pending ones first. */
export async function renderRedemptions(
  c: AppContext,
  { action, fields }: ListScreen,
): Promise<ReactElement> {
  const shown = { ...fields, show: 'redemptions' }
  const { db } = c.var.deps
  const status = findDecisionStatus(c.req.query('status'))
  const kept = readKept(c.req.query('kept'))
  const list = await renderList(c, {
    action,
    fields: shown,
    label: 'Search by code, name or email',
    filter: { name: 'status', label: 'Status', value: status, options: DECISION_FILTERS },
    async read(wanted) {
      const { redemptions, total } = await listRedemptions(db, { ...wanted, status, kept })
      return { rows: redemptions.map((each) => toRedemptionRow(c, each)), total }
    },
    show: (rows) => (
      <Redemptions
        redemptions={rows}
        hrefOf={(dialog) => `${action}?${new URLSearchParams({ ...shown, ...dialog })}`}
      />
    ),
    none: (narrowed) => <NoRedemptions narrowed={narrowed} />,
  })
  return (
    <>
      <PendingNote pending={await countPending(db, 'promo_redemptions')} />
      {list}
    </>
  )
}

function PendingNote({ pending }: { pending: number }) {
  if (pending === 0) return null
  const text = pending === 1 ? 'redemption is' : 'redemptions are'
  return <Note tone="warn" icon="clock">{`${formatCount(pending)} ${text} pending`}</Note>
}

type RedemptionView = ReturnType<typeof toRedemptionRow>

/** Describes a redemption for its row and its dialog. */
export function toRedemptionRow(c: AppContext, redemption: ListedRedemption) {
  const { id, account_id, code, user_name, user_email, user_mobile, status, redeemed_at } =
    redemption
  return {
    id,
    code,
    name: user_name,
    contact: user_email ?? displayPhone(user_mobile ?? ''),
    status,
    is_own: account_id === c.var.account?.id,
    redeemed: formatDateTime(redeemed_at, c.var.deps.config.timezone),
  }
}

type HrefOf = (dialog: Record<string, string>) => string

function Redemptions({ redemptions, hrefOf }: { redemptions: RedemptionView[]; hrefOf: HrefOf }) {
  return (
    <ListTable
      label="Redemptions"
      rows={redemptions}
      head={{ label: 'User', cell: (redemption) => <UserCell {...redemption} /> }}
      columns={[
        { label: 'Code', cell: ({ code }) => <code className="any-break">{code}</code> },
        { label: 'Redeemed', cell: ({ redeemed }) => redeemed },
        { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      ]}
      idOf={({ id }) => `redemption-${id}`}
      actions={(redemption) =>
        redemption.status === 'pending' &&
        (redemption.is_own ? <OwnRequest /> : <Decide redemption={redemption} hrefOf={hrefOf} />)
      }
    />
  )
}

function Decide({ redemption, hrefOf }: { redemption: RedemptionView; hrefOf: HrefOf }) {
  const { id, name, code } = redemption
  return (
    <DecideLinks
      hrefOf={(action) => hrefOf({ [action]: id })}
      about={`${code} for ${name}`}
      gone="Redemption not found"
    />
  )
}

function NoRedemptions({ narrowed }: { narrowed: boolean }) {
  return (
    <Empty icon="ticket" title="No redemptions found" within>
      <p>
        {narrowed
          ? 'Try a part of a code, a name or an email, or choose another status.'
          : 'Redemptions of promo codes are listed here.'}
      </p>
    </Empty>
  )
}
