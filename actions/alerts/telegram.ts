import type { ActionDeps } from '#actions/deps.ts'
import { removeAddress } from '#db/alerts/channels.ts'
import { isConnectedBy, redeemTelegramCode } from '#db/alerts/telegram-codes.ts'
import { type Bot, type Chat, startBot } from '#mail/telegram/bot.ts'

/** Answers who writes to the installation's bot, until it is stopped. Undefined without a bot. */
export function startTelegramBot(deps: ActionDeps, secondMs?: number): Bot | undefined {
  const { config, telegram, log, db, secretKey, clock } = deps
  if (!telegram) return undefined

  async function connect(code: string, chat: Chat): Promise<boolean> {
    const used = await redeemTelegramCode(db, secretKey, { code, chat }, clock())
    // A message that was handled comes again after a crash.
    return used !== undefined || isConnectedBy(db, secretKey, { code, chat })
  }

  async function disconnect(chatId: number): Promise<boolean> {
    const address = { kind: 'telegram', address: String(chatId) } as const
    return (await removeAddress(db, secretKey, address)) > 0
  }

  const settingsUrl = `${config.publicUrl}/settings/notifications`
  return startBot({ telegram, connect, disconnect, settingsUrl, log, secondMs })
}
