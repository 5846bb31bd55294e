import type { AlertEvent } from '#domain/alerts/alert.ts'
import type { Channel, NtfyTarget } from '#mail/channels/channel.ts'
import type { Guard } from '#mail/guarded-request.ts'

/** A longer message becomes an attachment, or is refused. */
const MOST_MESSAGE_BYTES = 4_096
/** The highest of ntfy's priorities: it rings on until somebody looks. */
const URGENT = '5'

/** Names of emoji, which ntfy shows before the title. */
const TAGS: Record<AlertEvent, string> = {
  message: 'speech_balloon',
  scan: 'eyes',
  lost_scan: 'key',
  police_view: 'police_car',
  reset_request: 'closed_lock_with_key',
  plan: 'credit_card',
  due: 'calendar',
  security: 'lock',
}

/** Publishes to a topic of ntfy, by its headers: https://docs.ntfy.sh/publish/ */
export function createNtfy(guard: Guard): Channel<NtfyTarget> {
  return {
    kind: 'ntfy',
    isAvailable: true,
    send: ({ alert }, { url, token }, signal) =>
      guard.post(url, {
        headers: {
          Title: inHeader(alert.title),
          Tags: alert.isUrgent ? `rotating_light,${TAGS[alert.event]}` : TAGS[alert.event],
          Click: alert.url,
          'Content-Type': 'text/plain; charset=utf-8',
          ...(alert.isUrgent && { Priority: URGENT }),
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        body: clip(alert.body, MOST_MESSAGE_BYTES),
        signal,
      }),
  }
}

/** The most bytes of text in an encoded word, which has 75 characters at most. */
const ENCODED_BYTES = 45

/** A text as the value of a header: ASCII as it is, others in the encoded words of RFC 2047. */
function inHeader(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes('=?')) return line
  const words: string[] = []
  for (let rest = line; rest; rest = rest.slice(words.at(-1)?.length)) {
    words.push(clip(rest, ENCODED_BYTES))
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

/** The start of a text, in whole characters. */
function clip(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text
  let bytes = 0
  let length = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > mostBytes) break
    length += character.length
  }
  return text.slice(0, length)
}
