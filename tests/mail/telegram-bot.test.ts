import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DomainError } from '#domain/error.ts'
import { openTelegram } from '#mail/telegram/api.ts'
import { type BotVerbs, type Chat, startBot } from '#mail/telegram/bot.ts'
import { openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'

const SETTINGS = 'https://keys.example.in/settings/notifications'
const CONFLICT = {
  error_code: 409,
  description: 'Conflict: terminated by other getUpdates request',
}

type Server = Awaited<ReturnType<typeof openTelegramServer>>

/** Chats in memory, connected by codes that work once. */
function memoryVerbs(codes: string[]) {
  const chats = new Map<number, Chat>()
  const verbs: BotVerbs = {
    async connect(code, chat) {
      if (!codes.includes(code)) return chats.has(chat.id)
      codes.splice(codes.indexOf(code), 1)
      chats.set(chat.id, chat)
      return true
    },
    disconnect: async (chatId) => chats.delete(chatId),
  }
  return { chats, verbs }
}

function openBot(
  server: Server,
  {
    codes = ['CODE'],
    verbs = {},
    secondMs = 1,
  }: { codes?: string[]; verbs?: Partial<BotVerbs>; secondMs?: number } = {},
) {
  const lines: { level: number; msg: string; [more: string]: unknown }[] = []
  const output = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  const memory = memoryVerbs(codes)
  const bot = startBot({
    telegram: openTelegram(TOKEN, server.url),
    ...memory.verbs,
    ...verbs,
    settingsUrl: SETTINGS,
    log: pino({}, output),
    secondMs,
  })
  onTestFinished(() => bot.stop())
  return { bot, lines, chats: memory.chats }
}

/** The answers of the bot to one text after the other. */
async function answersTo(server: Server, ...texts: string[]): Promise<(string | undefined)[]> {
  for (const text of texts) {
    const before = server.sent.length
    server.write(text)
    await expect.poll(() => server.sent.length).toBe(before + 1)
  }
  return server.sent.slice(-texts.length).map(({ text }) => text)
}

describe('the bot', () => {
  test('connects a chat by the code of a link, and disconnects it', async () => {
    const server = await openTelegramServer()
    const { chats, lines } = openBot(server)
    expect(await answersTo(server, '/start CODE', '/stop', '/stop', '/start CODE')).toEqual([
      'Connected. Your alerts arrive here. /stop ends that.',
      'Disconnected. No more alerts arrive here.',
      'Nothing is connected here.',
      `This link has expired or was used. Make a new one: ${SETTINGS}`,
    ])
    expect(chats.size).toBe(0)
    expect(server.sent.map(({ chat_id }) => chat_id)).toEqual([42, 42, 42, 42])
    expect(server.faults).toEqual([])
    expect(lines).toEqual([])
  })

  test('says the same to a person who presses Start twice', async () => {
    const server = await openTelegramServer()
    openBot(server)
    const [first, second] = await answersTo(server, '/start CODE', '/start CODE')
    expect(second).toBe(first)
  })

  test.each([
    [{ username: 'asha_p' }, '@asha_p'],
    [{ last_name: 'Patil' }, 'Asha Patil'],
    [{ first_name: 'आशा\u202e' }, 'आशा'],
    [{ first_name: ' ' }, 'Telegram'],
    [{ first_name: 'a'.repeat(64) }, 'a'.repeat(60)],
    [{ first_name: `a${'🔑'.repeat(31)}` }, `a${'🔑'.repeat(29)}`],
  ])('knows a chat %j by its name %s', async (chat, name) => {
    const server = await openTelegramServer()
    const { chats } = openBot(server)
    server.write('/start CODE', chat)
    await expect.poll(() => chats.get(42)).toEqual({ id: 42, name })
  })

  test('answers anything else with one short help', async () => {
    const server = await openTelegramServer()
    openBot(server)
    const answers = await answersTo(
      server,
      'hello',
      '/start',
      '/help',
      '/startCODE',
      'x'.repeat(4_096),
    )
    expect(new Set(answers)).toEqual(
      new Set([`Your alerts arrive here. Connect this chat: ${SETTINGS}\n/stop disconnects it.`]),
    )
  })

  test('neither answers in groups nor messages without text', async () => {
    const server = await openTelegramServer()
    const { chats } = openBot(server)
    for (const type of ['group', 'supergroup', 'channel']) server.write('/start CODE', { type })
    server.write(undefined)
    await expect.poll(() => server.updates).toEqual([])
    expect(server.sent).toEqual([])
    expect(chats.size).toBe(0)
  })

  test('tells who wrote why they are refused', async () => {
    const server = await openTelegramServer()
    const connect = async () => {
      throw new DomainError({ code: 'conflict.too_many_channels', values: { most: 20 } })
    }
    openBot(server, { verbs: { connect } })
    expect(await answersTo(server, '/start CODE')).toEqual(['You can connect at most 20 channels'])
    await expect.poll(() => server.updates).toEqual([])
  })
})

describe('an update', () => {
  test('is acknowledged when its verb has committed, and not before', async () => {
    const server = await openTelegramServer()
    const acts: string[] = []
    let commit = () => {}
    const connect = (code: string) =>
      new Promise<boolean>((resolve) => {
        acts.push(code)
        commit = () => resolve(true)
      })
    openBot(server, { verbs: { connect } })
    server.write('/start ONE')
    await expect.poll(() => acts).toEqual(['ONE'])
    expect(server.updates).toHaveLength(1)
    commit()
    await expect.poll(() => server.updates).toEqual([])
    expect(acts).toEqual(['ONE'])
  })

  test('comes again when its verb fails, and those before it do not', async () => {
    const server = await openTelegramServer()
    const acts: string[] = []
    let failures = 2
    const connect = async (code: string) => {
      acts.push(code)
      if (code === 'TWO' && failures-- > 0) throw new Error('the database is locked')
      return true
    }
    const { lines } = openBot(server, { verbs: { connect } })
    for (const code of ['ONE', 'TWO', 'THREE']) server.write(`/start ${code}`)
    await expect.poll(() => server.updates).toEqual([])
    expect(acts).toEqual(['ONE', 'TWO', 'TWO', 'TWO', 'THREE'])
    expect(lines.map(({ msg }) => msg)).toEqual([
      'a message to the bot could not be handled',
      'a message to the bot could not be handled',
    ])
  })

  test('of a bot that was killed before it acknowledged comes again, and connects nothing else', async () => {
    const server = await openTelegramServer()
    const memory = memoryVerbs(['CODE'])
    let die = () => {}
    let bury = (_result: boolean) => {}
    const dead = new Promise<boolean>((resolve) => {
      bury = resolve
    })
    const killed = openBot(server, {
      verbs: {
        connect: async (code, chat) => {
          await memory.verbs.connect(code, chat)
          die()
          return dead
        },
      },
    })
    const died = new Promise<void>((resolve) => {
      die = resolve
    })
    server.write('/start CODE')
    await died
    expect(server.updates).toHaveLength(1)
    openBot(server, { verbs: memory.verbs })
    await expect
      .poll(() => server.sent.map(({ text }) => text))
      .toEqual(['Connected. Your alerts arrive here. /stop ends that.'])
    await expect.poll(() => server.updates).toEqual([])
    expect([...memory.chats.keys()]).toEqual([42])
    expect(killed.lines).toEqual([])
    bury(true)
  })

  test('is taken when Telegram counts from a smaller number', async () => {
    const server = await openTelegramServer()
    openBot(server)
    await answersTo(server, 'hello')
    await expect.poll(() => server.updates).toEqual([])
    server.answerEmpty()
    await expect.poll(() => server.polls.at(-1)).toBeUndefined()
    server.countFrom(5)
    expect(await answersTo(server, 'hello')).toHaveLength(1)
  })
})

describe('a bot that is stopped', () => {
  test('ends its poll at once', async () => {
    const server = await openTelegramServer()
    const { bot, lines } = openBot(server, { secondMs: 1_000 })
    await expect.poll(server.isPolled).toBe(true)
    const began = performance.now()
    await bot.stop()
    expect(performance.now() - began).toBeLessThan(1_000)
    await expect.poll(server.isPolled).toBe(false)
    expect(lines).toEqual([])
  })

  test('finishes and acknowledges what it has begun, and leaves the rest for the next start', async () => {
    const server = await openTelegramServer()
    const acts: string[] = []
    let commit = () => {}
    const connect = (code: string) =>
      new Promise<boolean>((resolve) => {
        acts.push(code)
        commit = () => resolve(true)
      })
    server.write('/start ONE')
    server.write('/start TWO')
    const { bot } = openBot(server, { verbs: { connect }, secondMs: 1_000 })
    await expect.poll(() => acts).toEqual(['ONE'])
    const stopped = bot.stop()
    commit()
    await stopped
    expect(acts).toEqual(['ONE'])
    expect(server.sent).toHaveLength(1)
    expect(server.updates).toHaveLength(1)
    const polls = server.polls.length
    openBot(server, { verbs: { connect: async (code) => acts.push(code) > 0 } })
    await expect.poll(() => acts).toEqual(['ONE', 'TWO'])
    expect(server.polls.length).toBeGreaterThan(polls)
  })

  test('does not wait for its rest after a failure', async () => {
    const server = await openTelegramServer()
    server.refuseNext('getUpdates', { error_code: 500, description: 'Internal Server Error' })
    const { bot, lines } = openBot(server, { secondMs: 1_000 })
    await expect.poll(() => lines.length).toBe(1)
    const began = performance.now()
    await bot.stop()
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('when Telegram refuses,', () => {
  test('the bot of another server gives way, and comes back after a minute', async () => {
    const server = await openTelegramServer()
    const memory = memoryVerbs(['ONE', 'TWO', 'THREE'])
    const first = openBot(server, { verbs: memory.verbs, secondMs: 10 })
    await expect.poll(server.isPolled).toBe(true)
    const second = openBot(server, { verbs: memory.verbs, secondMs: 10 })
    await expect.poll(() => first.lines.length).toBe(1)
    expect(first.lines[0]).toMatchObject({
      level: 40,
      status: 409,
      msg: 'the bot gets no messages',
    })
    const gaveWay = performance.now()
    expect(await answersTo(server, '/start ONE')).toHaveLength(1)
    await expect.poll(() => second.lines.length).toBe(1)
    expect(performance.now() - gaveWay).toBeGreaterThan(500)
    expect(await answersTo(server, '/start TWO', '/start THREE')).toHaveLength(2)
    expect([...memory.chats.keys()]).toEqual([42])
    expect(server.sent.every(({ text }) => text.startsWith('Connected'))).toBe(true)
  })

  test('it is asked again as late as it says', async () => {
    const server = await openTelegramServer()
    server.refuseNext('getUpdates', {
      error_code: 429,
      description: 'Too Many Requests: retry after 30',
      parameters: { retry_after: 30 },
    })
    const began = performance.now()
    openBot(server, { secondMs: 10 })
    await expect.poll(server.isPolled).toBe(true)
    expect(performance.now() - began).toBeGreaterThan(295)
  })

  test('the same problem is logged once, and again after it was over', async () => {
    const server = await openTelegramServer()
    server.refuseNext('getUpdates', CONFLICT, CONFLICT, CONFLICT)
    const { lines } = openBot(server)
    await expect.poll(server.isPolled).toBe(true)
    expect(lines).toHaveLength(1)
    await answersTo(server, 'hello')
    await expect.poll(server.isPolled).toBe(true)
    server.refuseNext('getUpdates', CONFLICT)
    await answersTo(server, 'hello')
    await expect.poll(() => lines.length).toBe(2)
  })

  test('nothing in the log tells the token', async () => {
    const server = await openTelegramServer()
    server.refuseNext('getUpdates', { error_code: 401, description: 'Unauthorized' })
    const { lines } = openBot({ ...server, url: 'http://127.0.0.1:1' })
    const refused = openBot(server)
    await expect.poll(() => lines.length + refused.lines.length).toBeGreaterThan(1)
    expect([...lines, ...refused.lines].map(({ why }) => why)).toEqual([
      'Telegram did not answer',
      'Telegram: Unauthorized',
    ])
    expect(JSON.stringify([...lines, ...refused.lines])).not.toContain('AAE')
  })

  test('an answer of the bot is not tried again, and none is sent as long as it says', async () => {
    const server = await openTelegramServer()
    server.refuseNext('sendMessage', {
      error_code: 429,
      description: 'Too Many Requests: retry after 20',
      parameters: { retry_after: 20 },
    })
    const { lines, chats } = openBot(server, { secondMs: 10 })
    server.write('hello')
    server.write('/start CODE')
    await expect.poll(() => chats.size).toBe(1)
    await expect.poll(() => server.updates).toEqual([])
    expect(server.sent).toEqual([])
    expect(lines.map(({ msg }) => msg)).toEqual(['the bot could not answer'])
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(await answersTo(server, '/stop')).toEqual(['Disconnected. No more alerts arrive here.'])
  })
})
