// @module-tag slow
import { rmSync } from 'node:fs'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { listChannels } from '#db/alerts/channels.ts'
import { makeTelegramCode } from '#db/alerts/telegram-codes.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { launch } from '#tests/support/server.ts'
import { openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'

let programs: Awaited<ReturnType<typeof findPrograms>>
beforeAll(async () => {
  programs = await findPrograms()
})

const clock = () => new Date()

/** The released server with a bot, as often as it is started, and an account in its database. */
async function openInstallation() {
  const telegram = await openTelegramServer()
  const dataDir = makeDataFolder()
  const { db, url, close } = await openTestDatabase(dataDir)
  onTestFinished(async () => {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const person = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const account = await insertAccount(db, person, clock())
  const env = {
    TELEGRAM_API_URL: telegram.url,
    TELEGRAM_BOT_TOKEN: TOKEN,
    ...(url && { DATABASE_URL: url }),
  }
  async function start() {
    const server = await launch({ dataDir, env, program: programs.server })
    onTestFinished(async () => {
      server.child.kill('SIGKILL')
      await server.ended
    })
    await expect.poll(telegram.isPolled).toBe(true)
    return server
  }
  const countChannels = async () => {
    const channels = await listChannels(db, loadSecretKey(dataDir), account.id)
    return channels.filter(({ kind }) => kind === 'telegram').length
  }
  return { telegram, start, countChannels, codeOf: () => makeTelegramCode(db, account.id, clock()) }
}

describe('a server with a bot', () => {
  test('polls after its start, connects who comes by a link, and ends the poll when it stops', async () => {
    const { telegram, start, codeOf, countChannels } = await openInstallation()
    const server = await start()
    const code = await codeOf()
    telegram.write(`/start ${code}`)
    await expect.poll(() => telegram.sent.length).toBe(1)
    expect(telegram.sent[0]?.text).toMatch(/^Connected\./)
    expect(await countChannels()).toBe(1)
    await expect.poll(telegram.isPolled).toBe(true)
    const began = performance.now()
    server.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - began).toBeLessThan(5_000)
    await expect.poll(telegram.isPolled).toBe(false)
    expect(telegram.updates).toEqual([])
    expect(telegram.faults).toEqual([])
    expect(server.output()).not.toContain(TOKEN)
    expect(server.output()).not.toContain(code)
  })

  test('that is killed after the commit and before the acknowledgement connects once', async () => {
    const { telegram, start, codeOf, countChannels } = await openInstallation()
    const server = await start()
    telegram.answerNothingTo('sendMessage')
    telegram.write(`/start ${await codeOf()}`)
    await expect.poll(countChannels).toBe(1)
    await expect.poll(telegram.unanswered).toBe(1)
    server.kill('SIGKILL')
    await server.ended
    expect(telegram.updates).toHaveLength(1)
    telegram.answerNothingTo(undefined)
    await start()
    expect(telegram.sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^Connected\./)])
    expect(telegram.updates).toEqual([])
    expect(await countChannels()).toBe(1)
  })
})
