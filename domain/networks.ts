/** A network, and how many times as much it may do as the smallest one. */
export type Network = { name: string; times: number }

/** A home or a server has an address, its provider's customers share a /24 with it. */
const IPV4 = { bits: 24, times: 4 }

/**
 * One person has a /64 or, with some providers, a whole /56, and whoever rents a server may have a
 * /48. A carrier gives each of its phones a /64 of one /48, so that the large ones may do more.
 */
const IPV6 = [
  { bits: 64, times: 1 },
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
]

/** The networks that an address is counted in, from the smallest to the largest. */
export function networksOf(address: string): [Network, ...Network[]] {
  const mapped = address.startsWith('::ffff:') && address.includes('.')
  const plain = mapped ? address.slice('::ffff:'.length) : address
  if (plain.includes(':')) {
    const groups = groupsOf(plain)
    return IPV6.map(({ bits, times }) => ({ name: ipv6Network(groups, bits), times })) as [Network]
  }
  const host: Network = { name: plain, times: 1 }
  const [a, b, c, d] = plain.split('.')
  if (d === undefined) return [host]
  return [host, { name: `${a}.${b}.${c}.0/${IPV4.bits}`, times: IPV4.times }]
}

function ipv6Network(groups: number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / 16))
  const rest = (16 - (bits % 16)) % 16
  const last = kept.length - 1
  kept[last] = ((kept[last] ?? 0) >> rest) << rest
  return `${kept.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/** The first four groups of an address, which may leave out those that are zero. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const between = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...between, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16))
}
