import { lookup, Resolver } from 'node:dns/promises'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Config } from '#config.ts'
import { DomainError } from '#domain/error.ts'
import type { Outcome } from '#mail/channels/channel.ts'
import { isPublic } from '#mail/public-addresses.ts'

/** For all of a request: resolving, connecting, TLS, headers and body. */
const LIMIT_MS = 5_000
/** The limit of an answer's headers, and of its body. */
const MOST_ANSWER_BYTES = 16_384
/** The limit of everything that a server sends, including empty lines and interim answers, which each cost work. */
const MOST_BYTES = 65_536
const MOST_ADDRESS_LENGTH = 2_000

/**
 * The ports that browsers refuse (the Fetch standard's list), because what listens there could take
 * the lines of a request for commands of its own.
 */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

type Rule = { httpsOnly?: boolean }
type Request = Rule & {
  headers: Record<string, string>
  body: string | Uint8Array
  signal: AbortSignal
}
type Sent = Pick<Request, 'headers' | 'body'> & { method: 'GET' | 'POST' }
type Answered = { outcome: Outcome; body: string }
type Target = { url: URL; host: string; addresses: string[] }

/** The parts that tests replace, because their servers are on loopback. */
export type Ways = {
  resolve(name: string, signal: AbortSignal): Promise<string[]>
  isAllowed(address: string): boolean
  limitMs: number
}

const PUBLIC: Ways = { resolve: askNameServers, isAllowed: isPublic, limitMs: LIMIT_MS }
const ANY: Ways = { resolve: askThisMachine, isAllowed: () => true, limitMs: LIMIT_MS }

export type Guard = ReturnType<typeof createGuard>

/**
 * Creates the only function that makes requests to addresses that users give. They reach only
 * public addresses: a name is resolved once, all its addresses are checked, and the connection is
 * made to a checked one. Redirects are not followed. `ALLOW_PRIVATE_TARGETS` lifts the check of
 * addresses.
 */
export function createGuard(
  { allowPrivateTargets }: Pick<Config, 'allowPrivateTargets'>,
  { resolve, isAllowed, limitMs }: Ways = allowPrivateTargets ? ANY : PUBLIC,
) {
  /**
   * Throws invalid if requests to an address are refused, or its name does not resolve. Returns the
   * address in its normal form.
   */
  async function check(address: string, rule: Rule = {}): Promise<string> {
    const { url } = await within(limitMs, undefined, (signal) => find(address, rule, signal))
    return url.href
  }

  /**
   * Posts to an address. The outcome says no more about it than the status of its answer, so that
   * nobody learns what a machine answers that they cannot reach themselves.
   */
  async function post(address: string, request: Request): Promise<Outcome> {
    try {
      return await within(limitMs, request.signal, async (signal) => {
        const sent = { ...request, method: 'POST' } as const
        return (await send(await find(address, request, signal), sent, signal)).outcome
      })
    } catch (error) {
      const why = error instanceof DomainError ? error.message : 'No answer'
      return { result: 'failed', why }
    }
  }

  /**
   * Whether an https address answers with this text, spaces around it apart. Nobody learns what else it
   * answers.
   */
  async function serves(address: string, text: string): Promise<boolean> {
    try {
      return await within(limitMs, undefined, async (signal) => {
        const target = await find(address, { httpsOnly: true }, signal)
        const { outcome, body } = await send(target, READING, signal)
        return outcome.result === 'delivered' && outcome.status === 200 && body.trim() === text
      })
    } catch {
      return false
    }
  }

  async function find(address: string, rule: Rule, signal: AbortSignal): Promise<Target> {
    const url = parse(address, rule)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(host) ? [host] : await addressesOf(host, signal)
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw refusal()
    return { url, host, addresses }
  }

  async function addressesOf(name: string, signal: AbortSignal): Promise<string[]> {
    try {
      return await resolve(name, signal)
    } catch {
      throw refusal()
    }
  }

  return { check, post, serves }
}

const READING: Sent = { method: 'GET', headers: {}, body: '' }

function refusal(): DomainError {
  return new DomainError('invalid.address')
}

/** An address as browsers read it: numbers of all kinds become plain IP addresses. */
function parse(address: string, { httpsOnly }: Rule): URL {
  if (address.length > MOST_ADDRESS_LENGTH || !URL.canParse(address)) throw refusal()
  const url = new URL(address)
  // Names of the DNS may end with a dot; certificates and servers know them without.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && !httpsOnly)
  const hasCredentials = url.username !== '' || url.password !== ''
  if (!isWeb || hasCredentials || REFUSED_PORTS.has(Number(url.port || 443))) throw refusal()
  return url
}

/** Asks the name servers, without the machine's own file of names, and never waits in a thread. */
async function askNameServers(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Resolves a name like any program of the machine: home networks have names of their own. */
async function askThisMachine(name: string, signal: AbortSignal): Promise<string[]> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', reject, { once: true })
  })
  const found = await Promise.race([lookup(name, { all: true }), aborted])
  return found.map(({ address }) => address)
}

/** Resolves when the answer is complete, too long or out of time: its status is known then. */
function send(
  { url, host, addresses }: Target,
  { method, headers, body }: Sent,
  signal: AbortSignal,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let outcome: Outcome | undefined
    let answered = ''
    const settle = (error: Error) => {
      if (outcome) resolve({ outcome, body: answered })
      else reject(error)
    }
    const isTls = url.protocol === 'https:'
    const request = (isTls ? requestTls : requestPlain)({
      method,
      host,
      port: url.port,
      path: url.pathname + url.search,
      headers: { 'User-Agent': 'DriveQR', ...headers },
      lookup: answering(addresses),
      // A connection of its own, without those that earlier requests left open.
      agent: false,
      maxHeaderSize: MOST_ANSWER_BYTES,
      signal,
    })
    request.on('socket', (socket) => {
      let bytes = 0
      socket.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > MOST_BYTES) request.destroy()
      })
    })
    request.on('response', (answer) => {
      outcome = outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after'])
      let bytes = 0
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > MOST_ANSWER_BYTES) request.destroy()
        else answered += piece.toString('latin1')
      })
    })
    request.on('error', settle)
    request.on('close', () => settle(new Error('the connection was closed')))
    request.end(body)
  })
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { result: 'delivered', status }
  const failed: Outcome = { result: 'failed', why: `Answered ${status}`, status }
  return /^\d{1,6}$/.test(retryAfter ?? '') ? { ...failed, retryAfter: Number(retryAfter) } : failed
}

/** Answers a connection's question for its address with those that were checked. */
function answering(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = found
    if (all) callback(null, found)
    else callback(null, address, family)
  }
}

/** Aborts work after a time, or when the caller's signal says so. */
async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, ms)
  outer?.addEventListener('abort', abort)
  if (outer?.aborted) abort()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
}
