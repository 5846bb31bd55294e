import type { ActionDeps } from '#actions/deps.ts'
import { keyedHash } from '#db/secrets.ts'
import { SENDER_DAYS } from '#domain/conversations/rules.ts'

const DAY_MS = 86_400_000

/**
 * Returns keyed hashes of the sender's smallest network and a day, today's first. A hash is kept for 7 days,
 * and a block of it for 7 more.
 */
export function senderHashesOf(
  { secretKey, clock }: Pick<ActionDeps, 'secretKey' | 'clock'>,
  address: string,
): string[] {
  const now = clock().getTime()
  return Array.from({ length: 2 * SENDER_DAYS + 1 }, (_, ago) => {
    const day = new Date(now - ago * DAY_MS).toISOString().slice(0, 10)
    return keyedHash(secretKey, 'sender', day, address)
  })
}
