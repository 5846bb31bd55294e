import type { Alert } from '#domain/alerts/alert.ts'
import type { Channel, Outcome, TelegramTarget } from '#mail/channels/channel.ts'
import type { Telegram, TelegramAnswer } from '#mail/telegram/api.ts'

const MOST_CHARACTERS = 4_096

/** Messages of the installation's bot. Without a bot it is not available. */
export function createTelegram(telegram: Telegram | undefined): Channel<TelegramTarget> {
  if (!telegram) {
    const whyNot = 'TELEGRAM_BOT_TOKEN is not set'
    const send = () => Promise.resolve<Outcome>({ result: 'failed', why: 'There is no bot' })
    return { kind: 'telegram', isAvailable: false, whyNot, send }
  }
  return {
    kind: 'telegram',
    isAvailable: true,
    async send({ alert }, { chat_id }, signal) {
      const message = {
        chat_id,
        text: textOf(alert),
        // Otherwise Telegram's servers open the link.
        link_preview_options: { is_disabled: true },
      }
      return outcomeOf(await telegram.call('sendMessage', message, signal))
    },
  }
}

/** Takes the meaning from commands in a stranger's text, such as `/stop`, which would end the alerts when pressed. */
function withoutCommands(text: string): string {
  return text.replace(/(?<![\w/])\/(?=\w)/g, '/ ')
}

function textOf({ title, body: written, url }: Alert): string {
  const around = title.length + url.length + 4
  const body = withoutCommands(written)
  const start = body.slice(0, Math.max(0, MOST_CHARACTERS - around))
  // Half a character at the cut.
  return [title, start.replace(/[\ud800-\udbff]$/, ''), url].filter(Boolean).join('\n\n')
}

function outcomeOf(answer: TelegramAnswer<unknown>): Outcome {
  if (answer.ok) return { result: 'delivered', status: 200 }
  const { status, why, retryAfter } = answer
  // Blocked by its user, or deleted with the account.
  const isGone = status === 403 || (status === 400 && /chat not found/i.test(why))
  if (isGone) return { result: 'gone', why }
  return { result: 'failed', why, ...(status && { status }), ...(retryAfter && { retryAfter }) }
}
