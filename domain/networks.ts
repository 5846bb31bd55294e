/** A network. `times` multiplies the limits of a single address. */
export type Network = { name: string; times: number }

/** A home or a server has one address; the provider's customers share its /24. */
const IPV4 = { bits: 24, times: 4 }

/**
 * A person has a /64 or, with some providers, a /56; a rented server may have a /48. A mobile
 * carrier gives each phone a /64 of one /48, so larger networks get higher limits.
 */
const IPV6 = [
  { bits: 64, times: 1 },
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
]

/** Returns the networks of an address that limits count, from the smallest to the largest. */
export function networksOf(address: string): [Network, ...Network[]] {
  const plain = withoutMapping(address)
  if (plain.includes(':')) {
    const groups = groupsOf(plain)
    return IPV6.map(({ bits, times }) => ({ name: ipv6Network(groups, bits), times })) as [Network]
  }
  const host: Network = { name: plain, times: 1 }
  const [a, b, c, d] = plain.split('.')
  if (d === undefined) return [host]
  return [host, { name: `${a}.${b}.${c}.0/${IPV4.bits}`, times: IPV4.times }]
}

/** Returns one text for all spellings of an address. */
export function exactAddress(address: string): string {
  const plain = withoutMapping(address)
  return plain.includes(':') ? groupsOf(plain).map(toHex).join(':') : plain
}

/** Returns whether a carrier may have given an address to many phones: an IPv4 address. */
export function isSharedAddress(address: string): boolean {
  return !withoutMapping(address).includes(':')
}

function withoutMapping(address: string): string {
  const isMapped = address.startsWith('::ffff:') && address.includes('.')
  return isMapped ? address.slice('::ffff:'.length) : address
}

function ipv6Network(groups: number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / 16))
  const rest = (16 - (bits % 16)) % 16
  const last = kept.length - 1
  kept[last] = ((kept[last] ?? 0) >> rest) << rest
  return `${kept.map(toHex).join(':')}::/${bits}`
}

function toHex(group: number): string {
  return group.toString(16)
}

/** The groups of an address; `::` stands for omitted zero groups. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const between = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...between, ...after].slice(0, 8).map((group) => Number.parseInt(group, 16))
}
