import type { Config } from '#config.ts'

/** An answer of Telegram. `status` is 0 if there was none. */
export type TelegramAnswer<Result> =
  | { ok: true; result: Result }
  | { ok: false; status: number; why: string /** in seconds */; retryAfter?: number }

type Raw<Result> =
  | { ok: true; result: Result }
  | {
      ok: false
      error_code: number
      description?: string
      parameters?: { retry_after?: number }
    }

export type Telegram = ReturnType<typeof openTelegram>

const LIMIT_MS = 5_000

/** Opens the bot of this installation. Returns undefined without its token. */
export function openBot({ telegram: { botToken, apiUrl } }: Config): Telegram | undefined {
  return botToken ? openTelegram(botToken, apiUrl) : undefined
}

/** Opens the Bot API (https://core.telegram.org/bots/api) for a bot's token. */
export function openTelegram(token: string, apiUrl: string) {
  let naming: Promise<TelegramAnswer<{ username: string }>> | undefined

  /** Never rejects: what failed is told without the address, which contains the token. */
  async function call<Result>(
    method: string,
    parameters: object,
    signal: AbortSignal = AbortSignal.timeout(LIMIT_MS),
  ): Promise<TelegramAnswer<Result>> {
    try {
      const response = await fetch(`${apiUrl}/bot${token}/${method}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'DriveQR' },
        body: JSON.stringify(parameters),
        redirect: 'error',
        signal,
      })
      return toAnswer((await response.json()) as Raw<Result>)
    } catch {
      return { ok: false, status: 0, why: 'Telegram did not answer' }
    }
  }

  /** The bot's name, for links to it. Asked once; undefined while Telegram does not tell it. */
  async function botName(): Promise<string | undefined> {
    naming ??= call('getMe', {})
    const answer = await naming
    if (answer.ok) return answer.result.username
    naming = undefined
    return undefined
  }

  return { call, botName }
}

function toAnswer<Result>(raw: Raw<Result>): TelegramAnswer<Result> {
  if (raw.ok) return raw
  return {
    ok: false,
    status: raw.error_code,
    why: `Telegram: ${raw.description ?? raw.error_code}`,
    retryAfter: raw.parameters?.retry_after,
  }
}
