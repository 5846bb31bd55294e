import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Mood, portOf, startMailServer } from '#tests/support/smtp.ts'

/** A mail server for one test. */
export async function openMailServer(mood: Mood = {}, port = 0) {
  const server = await startMailServer(mood, port)
  onTestFinished(server.stop)
  return server
}

/** The address of a mail server that does not answer. */
export async function deadMailServer(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return `smtp://127.0.0.1:${port}`
}
