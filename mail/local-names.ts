import { isIP } from 'node:net'

/** The endings of names that only a home or a company resolves (RFC 6762, 6761, 8375, and ICANN's for private use). */
const LOCAL_NAME =
  /(?:^|\.)(?:local|lan|internal|home|intranet|localhost|test|invalid|home\.arpa)\.?$/i

/** Checks whether strangers cannot resolve a host: an address in numbers, a bare name or a local one. */
export function isLocalName(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(name) !== 0 || !name.includes('.') || LOCAL_NAME.test(name)
}
