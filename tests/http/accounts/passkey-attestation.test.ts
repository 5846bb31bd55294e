import { createHash, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { attestAsAndroidKey } from '#tests/support/android-key.ts'
import { openPasskeys, WRONG_PASSKEY } from '#tests/support/passkeys.ts'
import { openReceiver } from '#tests/support/receiver.ts'
import type { Attest } from '#tests/support/software-passkey.ts'

const attestItself: Attest = ({ authData, clientData, privateKey }) => {
  const hash = createHash('sha256').update(clientData).digest()
  const signature = sign('sha256', Buffer.concat([authData, hash]), privateKey)
  const attStmt = new Map<string, number | Buffer>([
    ['alg', -7],
    ['sig', signature],
  ])
  return { fmt: 'packed', attStmt }
}

test('a new passkey has the server call no address that its certificates name', async () => {
  const { received, url } = await openReceiver()
  const { call, key } = await openPasskeys()
  const attest = attestAsAndroidKey(`${url}/latest/meta-data`)
  const answer = key.create({ ...(await call('POST', '/options')).body, attest })
  const made = await call('POST', '', { name: 'Phone', ...answer })
  expect(received).toEqual([])
  expect(made).toMatchObject(WRONG_PASSKEY)
})

test('a new passkey that signs for itself is added', async () => {
  const { call, key } = await openPasskeys()
  const answer = key.create({ ...(await call('POST', '/options')).body, attest: attestItself })
  expect((await call('POST', '', { name: 'Phone', ...answer })).status).toBe(201)
})
