import type { ActionDeps } from '#actions/deps.ts'
import { isConnected, removeAddress } from '#db/alerts/channels.ts'
import { redeemTelegramCode } from '#db/alerts/telegram-codes.ts'
import { type Bot, type Chat, startBot } from '#mail/telegram/bot.ts'

/** Answers who writes to the installation's bot, until it is stopped. Undefined without a bot. */
export function startTelegramBot(deps: ActionDeps, secondMs?: number): Bot | undefined {
  const { config, telegram, log, db, secretKey, clock } = deps
  if (!telegram) return undefined
  const addressOf = (chatId: number) => ({ kind: 'telegram', address: String(chatId) }) as const

  async function connect(code: string, chat: Chat): Promise<boolean> {
    const used = await redeemTelegramCode(db, secretKey, { code, chat }, clock())
    return used !== undefined || isConnected(db, secretKey, addressOf(chat.id))
  }

  async function disconnect(chatId: number): Promise<boolean> {
    return (await removeAddress(db, secretKey, addressOf(chatId))) > 0
  }

  const settingsUrl = `${config.publicUrl}/settings/notifications`
  return startBot({ telegram, connect, disconnect, settingsUrl, log, secondMs })
}
