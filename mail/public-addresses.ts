import { BlockList, isIP } from 'node:net'

/**
 * All blocks of IANA's IPv4 Special-Purpose Address Registry as of 9 October 2025, reachable or not, and
 * multicast: https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a carrier
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata service of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112, which answers for names of private addresses
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/**
 * Addresses that look public and that a machine in a cloud reaches inside of it alone, by the clouds' own pages as of
 * 28 November 2026. Their other internal addresses are in the registry's blocks.
 */
const CLOUD_IPV4 = [
  '168.63.129.16/32', // Azure: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '161.26.0.0/16', // IBM Cloud, services: cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
  '166.8.0.0/14', // IBM Cloud, service endpoints: the same page
  '199.36.153.4/30', // Google Cloud: cloud.google.com/vpc/docs/configure-private-google-access
  '199.36.153.8/30', // Google Cloud: the same page
  '35.199.192.0/19', // Google Cloud, DNS: cloud.google.com/dns/docs/server-policies-overview
]

/**
 * The part of IPv6 that is assigned to networks. Outside of it are loopback, unique local, link-local
 * and multicast addresses, and those with an IPv4 address inside: mapped, compatible, NAT64.
 */
const GLOBAL_IPV6 = ['2000::/3']

/**
 * The blocks inside of it of the IPv6 Special-Purpose Address Registry as of 9 October 2025:
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, with an IPv4 address inside
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // returned after a test of IPv6
  '3fff::/20', // documentation
]

/** Networks of homes, offices and containers. */
const PRIVATE_IPV4 = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
const PRIVATE_IPV6 = ['fc00::/7']

const specialIpv4 = listOf([...SPECIAL_IPV4, ...CLOUD_IPV4], 'ipv4')
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6')
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6')

const privateIpv4 = listOf(PRIVATE_IPV4, 'ipv4')
const privateIpv6 = listOf(PRIVATE_IPV6, 'ipv6')

function listOf(ranges: string[], type: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), type)
  }
  return list
}

/** Returns whether everybody on the internet can reach an IP address. */
export function isPublic(address: string): boolean {
  // A zone is of a link of this machine.
  if (address.includes('%')) return false
  if (isIP(address) === 4) return !specialIpv4.check(address, 'ipv4')
  return (
    isIP(address) === 6 && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
  )
}

/** Returns whether an IP address belongs to a private network, also one of IPv4 in the form of IPv6. */
export function isNearby(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/, '')
  if (isIP(plain) === 4) return privateIpv4.check(plain, 'ipv4')
  return isIP(plain) === 6 && privateIpv6.check(plain, 'ipv6')
}
