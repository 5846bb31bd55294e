import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { openTestApp } from '#tests/support/app.ts'

type Asked = { peer?: string | undefined; forwarded?: string; proxies?: number }

/** Calls the function with the parts of a request that it reads. */
function addressOf({ peer, forwarded, proxies = 0 }: Asked): string {
  return clientAddress({
    get: () => ({ config: { trustProxy: proxies } }),
    env: { incoming: { socket: { remoteAddress: peer } } },
    req: { header: (name: string) => (name === 'X-Forwarded-For' ? forwarded : undefined) },
  } as unknown as AppContext)
}

test.each<[string, Asked, string]>([
  ['the socket’s, without a proxy', { peer: '198.51.100.7' }, '198.51.100.7'],
  ['an IPv4 address on a socket for both', { peer: '::ffff:198.51.100.7' }, '198.51.100.7'],
  ['one for all sockets that are gone', { peer: undefined }, 'unknown'],
])('the address is %s', (_, asked, address) => {
  expect(addressOf(asked)).toBe(address)
})

test.each<[string, Asked, string]>([
  ['is not believed without a proxy', { forwarded: '203.0.113.9' }, '127.0.0.1'],
  [
    'is believed as far as one proxy wrote it',
    { proxies: 1, forwarded: '1.1.1.1, 203.0.113.9' },
    '203.0.113.9',
  ],
  [
    'is believed as far as two proxies wrote it',
    { proxies: 2, forwarded: '1.1.1.1, 203.0.113.9, 10.0.0.2' },
    '203.0.113.9',
  ],
  [
    'may be shorter than there are proxies',
    { proxies: 3, forwarded: '203.0.113.9' },
    '203.0.113.9',
  ],
  [
    'counts for nothing when it is no address',
    { proxies: 1, forwarded: '203.0.113.9, unknown' },
    '127.0.0.1',
  ],
  ['counts for nothing when it is a name', { proxies: 1, forwarded: 'evil.example' }, '127.0.0.1'],
  ['counts for nothing when it is empty', { proxies: 1, forwarded: '' }, '127.0.0.1'],
  ['may hold IPv6', { proxies: 1, forwarded: '2001:DB8:0:42::1' }, '2001:db8:0:42::/64'],
])('X-Forwarded-For %s', (_, asked, address) => {
  expect(addressOf({ peer: '127.0.0.1', ...asked })).toBe(address)
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the IPv6 address %s is counted as its network %s', (peer, network) => {
  expect(addressOf({ peer })).toBe(network)
})

test('on a socket, a forged header does not change the counted address', async () => {
  const { app } = await openTestApp()
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const statuses: number[] = []
  for (let i = 0; i <= RATE_LIMITS.police.count; i++) {
    const headers = { 'X-Forwarded-For': `203.0.113.${i}`, 'X-Real-IP': `203.0.113.${i}` }
    const answer = await fetch(`http://127.0.0.1:${port}/police/nothing`, { headers })
    statuses.push(answer.status)
    await answer.text()
  }
  expect(statuses.slice(0, -1)).toEqual(Array(RATE_LIMITS.police.count).fill(404))
  expect(statuses.at(-1)).toBe(429)
})
