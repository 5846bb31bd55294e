import { describe, expect, onTestFinished, test } from 'vitest'
import { startTelegramBot } from '#actions/alerts/telegram.ts'
import { listChannels } from '#db/alerts/channels.ts'
import { makeTelegramCode } from '#db/alerts/telegram-codes.ts'
import { openTelegram } from '#mail/telegram/api.ts'
import { openTestApp } from '#tests/support/app.ts'
import { openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'

const CONNECTED = 'Connected. Your alerts arrive here. /stop ends that.'
const DEAD =
  'This link has expired or was used. Make a new one: http://localhost:3000/settings/notifications'

/** The product with a bot, and an account to which chats are connected. */
async function openInstallation() {
  const server = await openTelegramServer()
  const app = await openTestApp({ telegram: openTelegram(TOKEN, server.url) })
  const bot = startTelegramBot(app.deps, 1)
  onTestFinished(() => bot?.stop())
  const account = await app.signUp()
  const { db, secretKey, clock } = app.deps
  const codeOf = (accountId: string) => makeTelegramCode(db, accountId, clock())
  const chatsOf = async (accountId: string) => {
    const channels = await listChannels(db, secretKey, accountId)
    return channels.filter(({ kind }) => kind === 'telegram').map(({ name }) => name)
  }
  /** Writes to the bot and waits for its answer. */
  async function write(text: string, chat: object = {}) {
    const before = server.sent.length
    server.write(text, chat)
    await expect.poll(() => server.sent.length).toBe(before + 1)
    return server.sent.at(-1)?.text
  }
  return { ...app, server, account, codeOf, chatsOf, write }
}

describe('a chat with the bot', () => {
  test('is connected to an account by its code, once, and disconnected', async () => {
    const { account, codeOf, chatsOf, write, server, logged } = await openInstallation()
    const code = await codeOf(account.id)
    expect(code).toMatch(/^[\w-]{1,64}$/)
    expect(await write(`/start ${code}`, { username: 'asha_p' })).toBe(CONNECTED)
    expect(await chatsOf(account.id)).toEqual(['@asha_p'])
    expect(await write(`/start ${code}`)).toBe(CONNECTED)
    expect(await chatsOf(account.id)).toEqual(['@asha_p'])
    expect(await write(`/start ${code}`, { id: 43 })).toContain('expired or was used')
    expect(await write('/stop')).toBe('Disconnected. No more alerts arrive here.')
    expect(await chatsOf(account.id)).toEqual([])
    expect(server.faults).toEqual([])
    expect(logged.join()).not.toContain(code)
  })

  test('is not connected by a code that is too old, replaced, or made up', async () => {
    const { account, codeOf, chatsOf, write, advance } = await openInstallation()
    const replaced = await codeOf(account.id)
    const old = await codeOf(account.id)
    advance(10 * 60)
    for (const code of [replaced, old, 'made-up']) {
      expect(await write(`/start ${code}`)).toBe(DEAD)
    }
    expect(await chatsOf(account.id)).toEqual([])
  })

  test('that is connected by another link is told that a link has expired', async () => {
    const { account, codeOf, chatsOf, write, signUp, advance } = await openInstallation()
    await write(`/start ${await codeOf(account.id)}`)
    const other = await signUp()
    const old = await codeOf(other.id)
    advance(10 * 60)
    expect(await write(`/start ${old}`)).toBe(DEAD)
    expect(await chatsOf(other.id)).toEqual([])
  })

  test('leaves every account that it was connected to', async () => {
    const { account, codeOf, chatsOf, write, signUp } = await openInstallation()
    const other = await signUp()
    for (const { id } of [account, other]) await write(`/start ${await codeOf(id)}`)
    expect([await chatsOf(account.id), await chatsOf(other.id)]).toEqual([['Asha'], ['Asha']])
    await write('/stop')
    expect([await chatsOf(account.id), await chatsOf(other.id)]).toEqual([[], []])
  })

  test('is told when the account has too many channels', async () => {
    const { account, codeOf, chatsOf, write } = await openInstallation()
    for (let id = 1; id <= 20; id++) await write(`/start ${await codeOf(account.id)}`, { id })
    const last = await write(`/start ${await codeOf(account.id)}`, { id: 21 })
    expect(last).toBe('You can connect at most 20 channels')
    expect(await chatsOf(account.id)).toHaveLength(20)
  })
})

test('an installation without a bot starts none', async () => {
  const app = await openTestApp()
  expect(startTelegramBot(app.deps)).toBeUndefined()
})
