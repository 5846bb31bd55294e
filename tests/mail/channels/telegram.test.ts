import { describe, expect, test } from 'vitest'
import { createTelegram } from '#mail/channels/telegram.ts'
import { openTelegram } from '#mail/telegram/api.ts'
import { ALERT, deliveryOf } from '#tests/support/alerts.ts'
import { deadMailServer } from '#tests/support/mail-server.ts'
import { BOT_NAME, openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'

const { signal } = new AbortController()
const TARGET = { chat_id: 4_503_599_627_370_495 }

async function openChannel() {
  const server = await openTelegramServer()
  const telegram = openTelegram(TOKEN, server.url)
  return { server, telegram, channel: createTelegram(telegram) }
}

describe('an alert on Telegram', () => {
  test('is a message with title, text and link, without a preview', async () => {
    const { server, channel } = await openChannel()
    expect(channel).toMatchObject({ kind: 'telegram', isAvailable: true })
    expect(await channel.send(deliveryOf({}), TARGET, signal)).toEqual({
      result: 'delivered',
      status: 200,
    })
    expect(server.sent).toEqual([
      {
        chat_id: TARGET.chat_id,
        text: `${ALERT.title}\n\n${ALERT.body}\n\n${ALERT.url}`,
        link_preview_options: { is_disabled: true },
      },
    ])
    expect(server.faults).toEqual([])
  })

  test('is cut at a whole character, and keeps its link', async () => {
    const { server, channel } = await openChannel()
    for (const body of ['🔑'.repeat(4_000), `a${'🔑'.repeat(4_000)}`]) {
      expect(await channel.send(deliveryOf({ body }), TARGET, signal)).toMatchObject({
        result: 'delivered',
      })
    }
    for (const { text } of server.sent) {
      expect(text.length).toBeGreaterThan(4_090)
      expect(text).toMatch(/🔑\n\nhttps:\/\/keys\.example\.in\/dashboard\/messages\/abc$/u)
      expect(text).not.toMatch(/\p{Cs}/u)
    }
  })

  test('has no commands that a stranger wrote, and all else as it is', async () => {
    const { server, channel } = await openChannel()
    const body = '/stop\nPress (/stop) or /start@keys_bot on 12/11, and/or wait. http: //keys'
    await channel.send(deliveryOf({ body }), TARGET, signal)
    const [, shown] = server.sent[0]?.text.split('\n\n') ?? []
    expect(shown).toBe(
      '/ stop\nPress (/ stop) or / start@keys_bot on 12/11, and/or wait. http: //keys',
    )
  })

  test('waits as long as Telegram says', async () => {
    const { server, channel } = await openChannel()
    server.refuseNext('sendMessage', {
      error_code: 429,
      description: 'Too Many Requests: retry after 35',
      parameters: { retry_after: 35 },
    })
    expect(await channel.send(deliveryOf({}), TARGET, signal)).toEqual({
      result: 'failed',
      why: 'Telegram: Too Many Requests: retry after 35',
      status: 429,
      retryAfter: 35,
    })
  })

  test.each([
    [403, 'Forbidden: bot was blocked by the user'],
    [403, 'Forbidden: user is deactivated'],
    [400, 'Bad Request: chat not found'],
  ])('is sent never again to a chat that is gone: %i %s', async (error_code, description) => {
    const { server, channel } = await openChannel()
    server.refuseNext('sendMessage', { error_code, description })
    expect(await channel.send(deliveryOf({}), TARGET, signal)).toEqual({
      result: 'gone',
      why: `Telegram: ${description}`,
    })
  })

  test.each([
    [400, 'Bad Request: message text is empty'],
    [401, 'Unauthorized'],
    [404, 'Not Found'],
    [500, 'Internal Server Error'],
  ])('is tried again after %i %s', async (error_code, description) => {
    const { server, channel } = await openChannel()
    server.refuseNext('sendMessage', { error_code, description })
    expect(await channel.send(deliveryOf({}), TARGET, signal)).toEqual({
      result: 'failed',
      why: `Telegram: ${description}`,
      status: error_code,
    })
  })

  test('is tried again when Telegram does not answer, and names neither token nor address', async () => {
    const dead = (await deadMailServer()).replace('smtp:', 'http:')
    const channel = createTelegram(openTelegram(TOKEN, dead))
    expect(await channel.send(deliveryOf({}), TARGET, signal)).toEqual({
      result: 'failed',
      why: 'Telegram did not answer',
    })
  })

  test('is not available without a bot, and the operator is told why', async () => {
    const channel = createTelegram(undefined)
    expect(channel).toMatchObject({
      isAvailable: false,
      whyNot: 'TELEGRAM_BOT_TOKEN is not set',
    })
    expect(await channel.send(deliveryOf({}), TARGET, signal)).toEqual({
      result: 'failed',
      why: 'There is no bot',
    })
  })
})

test('the name of the bot is asked once, and again after a failure', async () => {
  const { server, telegram } = await openChannel()
  server.refuseNext('getMe', { error_code: 500, description: 'Internal Server Error' })
  expect(await telegram.botName()).toBeUndefined()
  expect(await Promise.all([telegram.botName(), telegram.botName()])).toEqual([BOT_NAME, BOT_NAME])
  server.refuseNext('getMe', { error_code: 500, description: 'Internal Server Error' })
  expect(await telegram.botName()).toBe(BOT_NAME)
})
