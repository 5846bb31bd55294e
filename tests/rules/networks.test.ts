import { expect, test } from 'vitest'
import { networksOf } from '#domain/networks.ts'

test.each([
  ['203.0.113.9', '203.0.113.9 ×1', '203.0.113.0/24 ×4'],
  ['::ffff:203.0.113.9', '203.0.113.9 ×1', '203.0.113.0/24 ×4'],
  [
    '2001:DB8:1:2ff:3:4:5:6',
    '2001:db8:1:2ff::/64 ×1',
    '2001:db8:1:200::/56 ×2',
    '2001:db8:1::/48 ×4',
  ],
  ['2001:db8::1', '2001:db8:0:0::/64 ×1', '2001:db8:0:0::/56 ×2', '2001:db8:0::/48 ×4'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64 ×1', 'fe80:0:0:0::/56 ×2', 'fe80:0:0::/48 ×4'],
  ['::1', '0:0:0:0::/64 ×1', '0:0:0:0::/56 ×2', '0:0:0::/48 ×4'],
  ['unknown', 'unknown ×1'],
])(
  'the address %s is counted in its networks, the larger ones more generously',
  (address, ...names) => {
    expect(networksOf(address).map(({ name, times }) => `${name} ×${times}`)).toEqual(names)
  },
)

test('two addresses of one /56 share it, and two of one /48', () => {
  const largest = (address: string) => networksOf(address).map(({ name }) => name)
  expect(largest('2001:db8:1:201::1')[1]).toBe(largest('2001:db8:1:2fe::1')[1])
  expect(largest('2001:db8:1:201::1')[1]).not.toBe(largest('2001:db8:1:301::1')[1])
  expect(largest('2001:db8:1:201::1')[2]).toBe(largest('2001:db8:1:301::1')[2])
})
