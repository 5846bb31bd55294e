import { MESSAGE_REASONS } from '#domain/conversations/conversation.ts'

/** The same numbers each time for the same seed, from 0 up to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TEXTS = [
  '',
  ' ',
  'I have your keys.',
  '\u0000',
  '\u202e\u2066\u200b',
  '\ud800',
  'a\r\nBcc: all@example.in\r\n',
  '<script>alert(1)</script>',
  "'; drop table conversations; --",
  '%_\\',
  '{{7*7}}',
  '👍'.repeat(1000),
  'अ'.repeat(1000),
  'x'.repeat(1001),
  'x'.repeat(20_000),
  'ravi@example.in',
  'RAVI@EXAMPLE.IN, all@example.in',
  '+91 98765 43210',
  '../../etc/passwd',
  '__proto__',
  'null',
  'true',
] as const

const NUMBERS = [0, -0, 18.5, 90, 90.000001, -180, 180, 1e308, -1, 12, '18.5', '1e5', '٣', '-', '']
const OTHERS = [null, undefined, true, [], {}, [1], { a: 1 }, ['found'], 5]
const FIELDS = [
  'reason',
  'text',
  'place',
  'latitude',
  'longitude',
  'accuracy',
  'name',
  'reply_to',
  'show_contact',
  'page_token',
  '__proto__',
  'constructor',
  'unknown',
] as const

/** Returns a program's message: mostly wrong, sometimes right. */
export function fuzzMessage(random: () => number, pageToken: string): Record<string, unknown> {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const sent: Record<string, unknown> = { page_token: pageToken, reason: pick(MESSAGE_REASONS) }
  const count = Math.floor(random() * 6)
  for (let n = 0; n < count; n++) {
    const kind = random()
    const value = kind < 0.6 ? pick(TEXTS) : kind < 0.85 ? pick(NUMBERS) : pick(OTHERS)
    Object.defineProperty(sent, pick(FIELDS), { value, enumerable: true, configurable: true })
  }
  return sent
}

/** A body for it: JSON, a form, a form with a file, or one of them that is broken. */
export function fuzzBody(
  random: () => number,
  message: Record<string, unknown>,
): { body: string; type: string } {
  const kind = random()
  const json = JSON.stringify(message)
  if (kind < 0.55) return { body: json, type: 'application/json' }
  if (kind < 0.65) {
    const cut = json.slice(0, Math.floor(random() * json.length))
    return { body: cut, type: 'application/json' }
  }
  if (kind < 0.7) return { body: json, type: 'text/plain' }
  const fields = Object.entries(message).map(([name, value]) => [name, String(value)])
  if (kind < 0.8) {
    return {
      body: new URLSearchParams(fields as string[][]).toString(),
      type: 'application/x-www-form-urlencoded',
    }
  }
  const parts = fields.map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file =
    random() < 0.5
      ? '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nno picture\r\n'
      : ''
  const whole = `${parts.join('')}${file}--b--\r\n`
  const body = random() < 0.2 ? whole.slice(0, Math.floor(random() * whole.length)) : whole
  return { body, type: 'multipart/form-data; boundary=b' }
}
