import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { checkMailServer } from '#mail/mailer.ts'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'
import { deadMailServer, openMailServer } from '#tests/support/mail-server.ts'

/** A server with TLS from the start, whose certificate is of an unknown authority. */
async function openTlsServer(): Promise<string> {
  const server = createServer(LOOPBACK_CERTIFICATE, (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a mail server that works has no reason', async () => {
  const { url } = await openMailServer()
  expect(await checkMailServer(url)).toBeUndefined()
})

test('each way in which a mail server cannot be used has its own reason', async () => {
  const { url } = await openMailServer()
  const reasons = [
    await checkMailServer(await deadMailServer()),
    await checkMailServer(url.replace('smtp:', 'smtps:')),
    await checkMailServer(`smtps://${await openTlsServer()}`),
  ]
  expect(reasons).toEqual([
    expect.stringContaining('nothing listens'),
    expect.stringContaining('speaks no TLS'),
    expect.stringContaining('certificate is not trusted'),
  ])
})
