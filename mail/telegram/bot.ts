import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DomainError } from '#domain/error.ts'
import { cleanLine } from '#domain/text.ts'
import type { Telegram, TelegramAnswer } from '#mail/telegram/api.ts'

type UpdateChat = {
  id: number
  type: string
  username?: string
  first_name?: string
  last_name?: string
}

/** An update of the bot. Messages without text, and those in groups, have no effect. */
type Update = { update_id: number; message?: { text?: string; chat: UpdateChat } }

/** A chat with the bot; `name` is shown on the page of settings. */
export type Chat = { id: number; name: string }

/** The database verbs that the bot calls. The bot answers a DomainError with its text. */
export type BotVerbs = {
  /**
   * Connects a chat by a code from the page of settings. Resolves to true also when this code connected the chat
   * before, and to false for an invalid code.
   */
  connect(code: string, chat: Chat): Promise<boolean>
  /** Disconnects a chat. Resolves to whether it was connected. */
  disconnect(chatId: number): Promise<boolean>
}

export type Bot = { stop(): Promise<void> }

const POLL_SECONDS = 50
/** Exceeds the time in which Telegram answers a poll. */
const POLL_LIMIT_MS = (POLL_SECONDS + 10) * 1_000
/** A poll of another server ends this server's poll with 409. So two servers poll in turn, a minute each. */
const CONFLICT_REST_SECONDS = 60
const MAX_REST_SECONDS = 300
const STOP_LIMIT_MS = 5_000

type BotDeps = BotVerbs & {
  telegram: Telegram
  /** where accounts connect the bot */
  settingsUrl: string
  log: Logger
  /** the length of a second of rest; tests shorten it */
  secondMs?: number
}

/**
 * Answers messages to the bot until `stop` is called. Telegram keeps updates until a poll requests later
 * ones. So it sends an update again when its verb did not commit, for example because of a crash. Of several
 * servers one polls at a time.
 */
export function startBot(deps: BotDeps): Bot {
  const { telegram, log, secondMs = 1_000 } = deps
  const handle = createUpdateHandler(deps)
  const stopping = new AbortController()
  /** the id of the first unhandled update; undefined when Telegram knows it */
  let nextId: number | undefined
  let failures = 0
  let problem = ''
  const running = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) await rest(await poll())
    if (nextId !== undefined) await acknowledge(nextId)
  }

  /** Polls once and handles the updates. Returns the seconds to rest before the next poll. */
  async function poll(): Promise<number> {
    const answer = await pollUpdates(telegram, nextId, stopping.signal)
    if (stopping.signal.aborted && !answer.ok) return 0
    if (!answer.ok) return restAfter(answer)
    try {
      for (const update of answer.result) {
        if (stopping.signal.aborted) return 0
        await handle(update)
        nextId = update.update_id + 1
      }
    } catch (error) {
      log.error({ err: error }, 'a message to the bot could not be handled')
      return restAfterFailure()
    }
    failures = 0
    problem = ''
    // After a quiet week Telegram counts from another number, which may be a smaller one.
    if (answer.result.length === 0) nextId = undefined
    return 0
  }

  function restAfter({ status, why, retryAfter }: TelegramAnswer<unknown> & { ok: false }): number {
    // A problem that lasts is logged once.
    if (why !== problem) log.warn({ status, why }, 'the bot gets no messages')
    problem = why
    if (retryAfter !== undefined) return retryAfter
    return status === 409 ? CONFLICT_REST_SECONDS : restAfterFailure()
  }

  function restAfterFailure(): number {
    failures += 1
    return Math.min(5 * 2 ** (failures - 1), MAX_REST_SECONDS)
  }

  async function rest(seconds: number): Promise<void> {
    if (seconds === 0) return
    const { signal } = stopping
    await sleep(seconds * secondMs, undefined, { signal }).catch(() => undefined)
  }

  /** Tells Telegram which updates were handled: otherwise it would send the last ones again at the next start. */
  async function acknowledge(offset: number): Promise<void> {
    const answer = await getUpdates(telegram, { offset, timeout: 0, limit: 1 })
    if (!answer.ok) log.info({ why: answer.why }, 'the last messages to the bot will come again')
  }

  return {
    /** Ends the poll, and waits up to 5 s for running updates. */
    async stop() {
      stopping.abort()
      await Promise.race([running, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
    },
  }
}

/** Waits for the updates from `offset` on, until `stopping` is aborted. */
async function pollUpdates(
  telegram: Telegram,
  offset: number | undefined,
  stopping: AbortSignal,
): Promise<TelegramAnswer<Update[]>> {
  const polling = new AbortController()
  const end = () => polling.abort()
  const timer = setTimeout(end, POLL_LIMIT_MS)
  stopping.addEventListener('abort', end)
  try {
    return await getUpdates(telegram, { offset, timeout: POLL_SECONDS }, polling.signal)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}

/** Gets updates. The offset also tells Telegram which ones were handled. */
function getUpdates(
  telegram: Telegram,
  options: { offset: number | undefined; timeout: number; limit?: number },
  signal?: AbortSignal,
): Promise<TelegramAnswer<Update[]>> {
  return telegram.call('getUpdates', { allowed_updates: ['message'], ...options }, signal)
}

/** Returns a function that handles and answers an update. */
function createUpdateHandler(deps: BotDeps): (update: Update) => Promise<void> {
  const { telegram, log, secondMs = 1_000 } = deps
  let silentUntil = 0

  /** Sends a reply once: unlike an alert, it is not repeated after a failure. */
  async function reply(chat_id: number, text: string): Promise<void> {
    if (performance.now() < silentUntil) return
    const answer = await telegram.call('sendMessage', { chat_id, text })
    if (answer.ok) return
    const { status, why, retryAfter = 0 } = answer
    silentUntil = performance.now() + retryAfter * secondMs
    log.info({ status, why }, 'the bot could not answer')
  }

  return async ({ message }) => {
    // In a group everybody would read the alerts.
    if (message?.chat.type !== 'private' || message.text === undefined) return
    const chat = { id: message.chat.id, name: nameOf(message.chat) }
    await reply(chat.id, await answerTo(message.text, chat, deps).catch(refusalOf))
  }
}

async function answerTo(
  text: string,
  chat: Chat,
  { connect, disconnect, settingsUrl }: BotDeps,
): Promise<string> {
  const [command, code] = text.trim().split(/\s+/)
  if (command === '/start' && code) {
    const isConnected = await connect(code, chat)
    return isConnected
      ? 'Connected. Your alerts arrive here. /stop ends that.'
      : `This link has expired or was used. Make a new one: ${settingsUrl}`
  }
  if (command === '/stop') {
    const wasConnected = await disconnect(chat.id)
    return wasConnected ? 'Disconnected. No more alerts arrive here.' : 'Nothing is connected here.'
  }
  return `Your alerts arrive here. Connect this chat: ${settingsUrl}\n/stop disconnects it.`
}

const MAX_NAME_LENGTH = 60

function nameOf({ username, first_name, last_name }: UpdateChat): string {
  const name = username ? `@${username}` : [first_name, last_name].filter(Boolean).join(' ')
  return cleanLine(name.slice(0, MAX_NAME_LENGTH)) ?? 'Telegram'
}

function refusalOf(error: unknown): string {
  if (error instanceof DomainError) return error.message
  throw error
}
