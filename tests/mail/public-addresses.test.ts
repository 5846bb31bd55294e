import { expect, test } from 'vitest'
import { isNearby, isPublic } from '#mail/public-addresses.ts'

/** The first and the last address of each range, and the public ones before and after it. */
const IPV4 = [
  ['0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  // Clouds answer these inside of their networks alone.
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['161.26.0.0', '161.26.255.255', '161.25.255.255', '161.27.0.0'],
  ['166.8.0.0', '166.11.255.255', '166.7.255.255', '166.12.0.0'],
  ['199.36.153.4', '199.36.153.11', '199.36.153.3', '199.36.153.12'],
  ['35.199.192.0', '35.199.223.255', '35.199.191.255', '35.199.224.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', ''],
]

const IPV6 = [
  // Below 2000::/3: unspecified, loopback, compatible, mapped, NAT64, discarded.
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', '2000::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::1', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::1', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::1', '2003::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::1', '2620:4f:8001::'],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffd:ffff::1', '3fff:1000::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffd:ffff::1', '3fff:1000::'],
  // Above it: segment routing, unique local, link-local, site-local, multicast.
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::1', ''],
]

test.each([...IPV4, ...IPV6])(
  '%s to %s is not public, and the addresses beside it are',
  (first, last, before, after) => {
    expect([first, last].map((address) => isPublic(String(address)))).toEqual([false, false])
    const beside = [before, after].filter((address) => address !== '')
    expect(beside.map((address) => isPublic(String(address)))).toEqual(beside.map(() => true))
  },
)

test.each([
  '::1',
  '::ffff:8.8.8.8',
  '::8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '5f00::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%lo',
  '2606:4700:4700::1111%lo',
  'fec0::1',
  'ff02::1',
  '',
  'example.com',
  '127.1',
  '8.8.8',
  '8.8.8.8.',
  '[2606:4700:4700::1111]',
])('%j is not the plain form of a public address', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '203.0.114.9',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
])('%s is public', (address) => expect(isPublic(address)).toBe(true))

test.each([
  '10.1.2.3',
  '172.18.0.3',
  '192.168.1.30',
  '::ffff:172.18.0.3',
  'fc00::1',
  'fd12:3456:789a::5',
])('%s is of a home, an office or a container', (address) => {
  expect(isNearby(address)).toBe(true)
})

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '::ffff:8.8.8.8',
  '::ffff:fd00::1',
  '2606:4700:4700::1111',
  'fe00::1',
  '',
  'localhost',
])('%j is not', (address) => expect(isNearby(address)).toBe(false))
