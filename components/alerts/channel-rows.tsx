import type { ReactNode } from 'react'
import { CHANNEL_ICONS } from '#components/alerts/alert-words.ts'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { CHANNEL_LABELS, type ChannelKind } from '#domain/alerts/alert.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import { settingsAction, settingsHref, webhookHref } from '#domain/settings.ts'

/** A channel as the list shows it; `unreachable` is the date since when, as it is read. */
export type ChannelRow = {
  id: string
  kind: ChannelKind
  name: string
  isVerified: boolean
  unreachable: string | undefined
  /** of a webhook whose plan has ended: nothing is sent to it */
  isAsleep: boolean
}

/** Returns the id of a channel's row, which gets the focus after a test. */
export function rowId(channelId: string): string {
  return `channel-${channelId}`
}

/** A connected channel, with its test and its removal. */
export function ChannelRowItem({ row }: { row: ChannelRow }) {
  const { id, kind, name } = row
  return (
    <Row
      kind={kind}
      id={rowId(id)}
      badge={<ChannelBadge row={row} />}
      text={<ChannelText row={row} />}
    >
      {canTest(row) && (
        <TestForm row={row} action={settingsAction('notifications', `/channels/${id}/test`)} />
      )}
      {kind === 'webhook' && (
        <a className="btn btn-sm" href={webhookHref(id)}>
          Deliveries
          <span className="vh">{` of ${name}`}</span>
        </a>
      )}
      {kind !== 'email' && <RemoveLink row={row} />}
    </Row>
  )
}

function canTest({ isVerified, isAsleep }: ChannelRow): boolean {
  return isVerified && !isAsleep
}

export function ChannelBadge({
  row: { kind, isVerified, unreachable, isAsleep },
}: {
  row: ChannelRow
}) {
  if (isAsleep) return <Badge tone="enterprise">Enterprise</Badge>
  if (!isVerified) return <Badge dot="hollow">Not verified</Badge>
  if (unreachable) {
    return (
      <Badge tone="stop" dot="full" long>
        {`Not reachable since ${unreachable}`}
      </Badge>
    )
  }
  return (
    <Badge tone="go" dot="full">
      {kind === 'email' ? 'Verified' : kind === 'push' ? 'On' : 'Connected'}
    </Badge>
  )
}

function ChannelText({ row: { name, isVerified, isAsleep } }: { row: ChannelRow }) {
  if (isAsleep) return <>{`${name}. Nothing is sent to it on your plan.`}</>
  if (isVerified) return <>{name}</>
  return <>{`${name}. To get alerts there, log in once with a one-time code mailed to it.`}</>
}

type TestFormProps = { row: Pick<ChannelRow, 'kind' | 'name'>; action: string }

export function TestForm({ row: { kind, name }, action }: TestFormProps) {
  return (
    <form method="post" action={action} data-enhance data-failed="The test could not be sent">
      <button className="btn btn-sm" type="submit" data-busy="Sending...">
        Send a test
        <span className="vh">{` to ${CHANNEL_LABELS[kind]}: ${name}`}</span>
      </button>
    </form>
  )
}

export function RemoveLink({ row: { id, kind, name } }: { row: ChannelRow }) {
  return (
    <a
      className="btn btn-sm btn-quiet btn-red"
      href={settingsHref('notifications', { disconnect: id })}
      data-dialog="disconnect"
      data-gone="This channel is not connected any more"
    >
      Remove
      <span className="vh">{` ${CHANNEL_LABELS[kind]}: ${name}`}</span>
    </a>
  )
}

/** A channel that is connected by a form in a dialog. */
export function ConnectRow({ kind }: { kind: 'ntfy' | 'webhook' }) {
  const label = CHANNEL_LABELS[kind]
  return (
    <Row kind={kind} badge={<Badge dot="hollow">Not connected</Badge>} text={CONNECT_TEXTS[kind]}>
      <a
        className="btn btn-sm"
        href={settingsHref('notifications', { connect: kind })}
        data-dialog="connect"
      >
        {`Connect ${label}`}
      </a>
    </Row>
  )
}

const CONNECT_TEXTS = {
  ntfy: 'Notifications on a topic of ntfy.sh, or of a server of your own',
  webhook: 'Signed calls to your own server',
}

export function ConnectTelegramRow() {
  return (
    <Row
      kind="telegram"
      badge={<Badge dot="hollow">Not connected</Badge>}
      text="Opens Telegram. Send /stop there to disconnect."
    >
      <form
        method="post"
        action={settingsAction('notifications', '/channels')}
        data-enhance
        data-failed="Telegram could not be connected"
      >
        <input type="hidden" name="type" value="telegram" />
        <button className="btn btn-sm" type="submit">
          Connect Telegram
        </button>
      </form>
    </Row>
  )
}

/** The row of this browser, whose island says whether alerts come to it and changes that. */
export function ThisDeviceRow({ children }: { children: ReactNode }) {
  return (
    <li>
      <span className="avatar">
        <Icon name={CHANNEL_ICONS.push} />
      </span>
      {children}
    </li>
  )
}

/** Offers webhooks to a plan that lacks them. */
export function WebhookOfferRow() {
  return (
    <Row
      kind="webhook"
      badge={<Badge tone="enterprise">Enterprise</Badge>}
      text="Signed calls to your own server"
    >
      <a className="btn btn-sm" href={upgradeHref()}>
        See plans
      </a>
    </Row>
  )
}

type RowProps = {
  kind: ChannelKind
  id?: string
  badge: ReactNode
  text: ReactNode
  children: ReactNode
}

function Row({ kind, id, badge, text, children }: RowProps) {
  const label = CHANNEL_LABELS[kind]
  return (
    <li>
      <span className="avatar">
        <Icon name={CHANNEL_ICONS[kind]} />
      </span>
      <div className="grow" id={id} tabIndex={id ? -1 : undefined}>
        <div className="row gap-2">
          <b>{label}</b>
          {badge}
        </div>
        <span className="small soft any-break">{text}</span>
      </div>
      <div className="acts">{children}</div>
    </li>
  )
}
