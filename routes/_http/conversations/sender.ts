import { keyedHash } from '#db/secrets.ts'
import { SENDER_DAYS } from '#domain/conversations/rules.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'

const DAY_MS = 86_400_000

/**
 * Keyed hashes of the sender's smallest network and a day, today's first. A hash is kept for 7 days,
 * and a block of it for 7 more.
 */
export function senderHashesOf(c: AppContext): string[] {
  const { secretKey, clock } = c.var.deps
  const address = clientAddress(c)
  const now = clock().getTime()
  return Array.from({ length: 2 * SENDER_DAYS + 1 }, (_, ago) => {
    const day = new Date(now - ago * DAY_MS).toISOString().slice(0, 10)
    return keyedHash(secretKey, 'sender', day, address)
  })
}
