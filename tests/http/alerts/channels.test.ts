import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { addChannel, listChannels, type NewChannel } from '#db/alerts/channels.ts'
import { openTelegram } from '#mail/telegram/api.ts'
import { openConversations } from '#tests/support/conversations.ts'
import { openNtfyServer } from '#tests/support/ntfy-server.ts'
import { openReceiver } from '#tests/support/receiver.ts'
import { openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'

const PUBLIC_URL = 'https://keys.example.in'
const HOME = { PUBLIC_URL, ALLOW_PRIVATE_TARGETS: '1' }
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const FINDER = 'ravi@example.in'

/** An owner about whose code finders write, with a channel of each kind that has a server here. */
async function openAlerted(env: Record<string, string> = HOME) {
  const telegramServer = await openTelegramServer()
  const ntfy = await openNtfyServer()
  let answer = 204
  const hook = await openReceiver((response) => response.writeHead(answer).end())
  const telegram = openTelegram(TOKEN, telegramServer.url)
  const app = await openConversations({ env, telegram })
  const { deps, db, owner } = app
  await db
    .updateTable('accounts')
    .set({ subscription_plan: 'enterprise' })
    .where('id', '=', owner.id)
    .execute()
  async function connect(kind: NewChannel['kind'], address: string, target: object) {
    const channel = { kind, name: kind, address, target }
    await addChannel(db, deps.secretKey, owner.id, channel, deps.clock())
  }
  await connect('telegram', '42', { chat_id: 42 })
  await connect('ntfy', ntfy.url, { url: `${ntfy.url}/keys`, token: null })
  await connect('webhook', hook.url, { url: hook.url, secret: SECRET })
  const waiting = () =>
    db.selectFrom('outbox').select(['id', 'kind']).where('kind', '!=', 'email').execute()
  const kinds = async () =>
    (await listChannels(db, deps.secretKey, owner.id)).map(({ kind }) => kind)
  const answerHook = (status: number) => {
    answer = status
  }
  return { ...app, telegramServer, ntfy, hook, waiting, kinds, answerHook }
}

test('a message of a finder reaches the owner on all channels, without the finder’s contact', async () => {
  const { begin, sender, telegramServer, ntfy, hook, waiting } = await openAlerted()
  await begin({ text: 'At the gate', reply_to: FINDER, show_contact: true })
  await sender.settled()
  const [onTelegram, onNtfy, called] = [telegramServer.sent, ntfy.messages, hook.received]
  expect([onTelegram.length, onNtfy.length, called.length]).toEqual([1, 1, 1])
  const { body = '', headers = {} } = called[0] ?? {}
  const { type, data } = JSON.parse(body)
  expect(type).toBe('message')
  expect(onNtfy[0]).toMatchObject({ title: data.title, message: data.body, click: data.url })
  expect(onTelegram[0]?.text).toBe(`${data.title}\n\n${data.body}\n\n${data.url}`)
  expect(data.url).toMatch(/^https:\/\/keys\.example\.in\/dashboard/)
  expect(JSON.stringify([onTelegram, onNtfy, headers, body])).not.toContain(FINDER)
  expect(await waiting()).toEqual([])
})

test('a webhook that fails is called again under the same id, until it has taken it', async () => {
  const { begin, sender, hook, waiting, advance, answerHook, deps } = await openAlerted()
  answerHook(503)
  await begin()
  await sender.settled()
  const [row] = await waiting()
  expect(row?.kind).toBe('webhook')
  answerHook(200)
  advance(30)
  deps.outbox.wake()
  await sender.settled()
  expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual([row?.id, row?.id])
  for (const { body, headers } of hook.received) {
    const signature = new Webhook(SECRET).sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      body,
    )
    expect(headers['webhook-signature']).toBe(signature)
  }
  expect(await waiting()).toEqual([])
})

test('a chat whose user has blocked the bot is removed', async () => {
  const { begin, sender, kinds, telegramServer } = await openAlerted()
  telegramServer.refuseNext('sendMessage', {
    error_code: 403,
    description: 'Forbidden: bot was blocked by the user',
  })
  await begin()
  await sender.settled()
  expect((await kinds()).toSorted()).toEqual(['email', 'ntfy', 'webhook'])
})

test('addresses of the own network are called by nobody who does not allow it', async () => {
  const { begin, sender, ntfy, hook, waiting, logged } = await openAlerted({ PUBLIC_URL })
  await begin()
  await sender.settled()
  expect([ntfy.headers, hook.received]).toEqual([[], []])
  expect((await waiting()).map(({ kind }) => kind).toSorted()).toEqual(['ntfy', 'webhook'])
  const failed = logged.filter((line) => line.includes('alert failed'))
  expect(failed).toHaveLength(2)
  for (const line of failed) expect(line).toContain('That address cannot be used')
  expect(logged.join()).not.toContain(hook.url)
})
