import type { ReactElement } from 'react'
import {
  type ChannelRow,
  ChannelRowItem,
  ConnectRow,
  ConnectTelegramRow,
  ThisDeviceRow,
  WebhookOfferRow,
} from '#components/alerts/channel-rows.tsx'
import type { Column } from '#components/alerts/matrix.tsx'
import type { ChannelView } from '#db/alerts/channels.ts'
import type { Account } from '#db/schema.ts'
import { CHANNEL_KINDS, type ChannelKind } from '#domain/alerts/alert.ts'
import { hasWebhooks } from '#domain/plans/plan.ts'
import { formatDate } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import type { AppContext } from '#routes/_http/context.ts'

type Place = { rows: ReactElement[]; columns: Column[] }

/**
 * Renders the connected channels and offers the others, except kinds that this installation cannot use.
 */
export function listPlaces(c: AppContext, account: Account, channels: ChannelView[]): Place {
  const kinds = CHANNEL_KINDS.map((kind) => placeOf(c, account, kind, channels))
  return {
    rows: kinds.flatMap(({ rows }) => rows),
    columns: kinds.flatMap(({ columns }) => columns),
  }
}

function placeOf(
  c: AppContext,
  account: Account,
  kind: ChannelKind,
  channels: ChannelView[],
): Place {
  const views = channels.filter(
    (each) => each.kind === kind && (kind !== 'email' || each.name !== null),
  )
  const own = views.map((each) => toRow(c, account, each))
  const isOffered = isAvailable(c, kind) && (kind !== 'email' || own.length > 0)
  const rows = own.map((row) => <ChannelRowItem key={row.id} row={row} />)
  if (!isOffered) return { rows: kind === 'email' ? [] : rows, columns: [] }
  const offer = offerOf(c, account, kind, views)
  return {
    rows: offer ? [...rows, offer] : rows,
    columns: [{ kind, not: whyNot(account, kind, own) }],
  }
}

function isAvailable(c: AppContext, kind: ChannelKind): boolean {
  const { channels, outbox } = c.var.deps
  return kind === 'email' ? outbox.isOpen : channels[kind]?.isAvailable === true
}

/** The way to a channel of a kind, or to a further one. */
function offerOf(
  c: AppContext,
  { subscription_plan }: Account,
  kind: ChannelKind,
  own: ChannelView[],
): ReactElement | undefined {
  if (kind === 'push') {
    const vapidKey = vapidKeys(c.var.deps.secretKey).publicKey
    const props = {
      vapidKey,
      channels: own.map(({ id, endpoint_hash }) => ({ id, endpoint_hash })),
    }
    return (
      <ThisDeviceRow key="this-device">
        <Island name="push-device" props={props} />
      </ThisDeviceRow>
    )
  }
  if (kind === 'email' || own.length > 0) return undefined
  if (kind === 'telegram') return <ConnectTelegramRow key={kind} />
  if (kind === 'webhook' && !hasWebhooks(subscription_plan)) return <WebhookOfferRow key={kind} />
  return <ConnectRow key={kind} kind={kind} />
}

/** Why a channel gets nothing now, in a word or two. */
function whyNot(
  { subscription_plan }: Account,
  kind: ChannelKind,
  own: ChannelRow[],
): string | undefined {
  if (kind === 'webhook' && !hasWebhooks(subscription_plan)) return 'Enterprise'
  if (own.length === 0) return 'not connected'
  return own.every(({ isVerified }) => !isVerified) ? 'not verified' : undefined
}

export function toRow(
  c: AppContext,
  { subscription_plan }: Account,
  view: ChannelView,
): ChannelRow {
  const { id, kind, name, isVerified, unreachable_since } = view
  const since = unreachable_since && formatDate(unreachable_since, c.var.deps.config.timezone)
  return {
    id,
    kind,
    name: name ?? UNREADABLE,
    isVerified,
    unreachable: since ?? undefined,
    isAsleep: kind === 'webhook' && !hasWebhooks(subscription_plan),
  }
}

/** After the secret key of the installation was replaced. */
const UNREADABLE = 'It cannot be read any more: remove it and connect it again'
