import type { ReactElement } from 'react'
import { ConnectAddress, RemoveChannel } from '#components/alerts/channel-dialogs.tsx'
import type { Problem } from '#components/forms/place-problem.ts'
import {
  type ChannelView,
  channelNotFound,
  EMAIL_CHANNEL,
  listChannels,
} from '#db/alerts/channels.ts'
import { hasWebhooks } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { Form } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { toRow } from '#routes/settings/_channel-rows.tsx'

/** Renders the dialog that the address asks for. Throws not_found for a channel of another account. */
export async function requestedChannelDialog(c: AppContext): Promise<ReactElement | undefined> {
  const { connect, disconnect } = c.req.query()
  if (disconnect) {
    const account = requireAccount(c)
    return <RemoveChannel {...toRow(c, account, await getOwnChannel(c, disconnect))} />
  }
  return connect ? connectDialog(c, connect) : undefined
}

/** Renders the form that connects a kind of channel, with its refusal. */
export function connectDialog(
  c: AppContext,
  kind: string | undefined,
  refused: { typed?: Form; problem?: Problem } = {},
): ReactElement | undefined {
  if (kind !== 'ntfy' && kind !== 'webhook') return undefined
  const canHook = hasWebhooks(requireAccount(c).subscription_plan)
  return kind === 'ntfy' || canHook ? <ConnectAddress kind={kind} {...refused} /> : undefined
}

/** Returns a channel of the account, except its e-mail. Throws not_found. */
export async function getOwnChannel(c: AppContext, id: string): Promise<ChannelView> {
  const { db, secretKey } = c.var.deps
  const channels = await listChannels(db, secretKey, requireAccount(c).id)
  const found = channels.find((each) => each.id === id && id !== EMAIL_CHANNEL)
  if (!found) throw channelNotFound()
  return found
}
