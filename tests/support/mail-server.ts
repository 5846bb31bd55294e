import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Mood, startMailServer } from '#tests/support/smtp.ts'

/** A mail server for one test. */
export async function openMailServer(mood: Mood = {}, port = 0) {
  const server = await startMailServer(mood, port)
  onTestFinished(server.stop)
  return server
}

/**
 * The address of a mail server that does not answer. Its port is below those that Linux gives to a program
 * that asks for a free one, so no other test listens there.
 */
export async function deadMailServer(): Promise<string> {
  const port = randomInt(10_000, 30_000)
  const probe = createServer().listen(port, '127.0.0.1')
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
  return `smtp://127.0.0.1:${port}`
}
