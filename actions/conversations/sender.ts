import type { ActionDeps } from '#actions/deps.ts'
import { keyedHash } from '#db/secrets.ts'
import { SENDER_DAYS, SERVICE_BLOCK_DAYS } from '#domain/conversations/rules.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { exactAddress, isSharedAddress, networksOf } from '#domain/networks.ts'

const DAY_MS = 86_400_000
/** A hash is kept for 7 days, and a block of it for 30 days more; both may begin and end within a day. */
const ADDRESS_DAYS = SENDER_DAYS + SERVICE_BLOCK_DAYS + 1
/** An hour may have begun before midnight. */
const NETWORK_DAYS = 2

/** Returns the sender of a request from an address, by a browser whose cookie has this id. */
export function senderOf(
  { secretKey, clock }: Pick<ActionDeps, 'secretKey' | 'clock'>,
  { address, browserId }: { address: string; browserId: string | undefined },
): Sender {
  const now = clock().getTime()
  const byDay = (kind: string, name: string, days: number) =>
    Array.from({ length: days }, (_, ago) => {
      const day = new Date(now - ago * DAY_MS).toISOString().slice(0, 10)
      return keyedHash(secretKey, kind, day, name)
    })
  const networks = networksOf(address)
  return {
    browser: browserId && keyedHash(secretKey, 'sender browser', browserId),
    addresses: byDay('sender', exactAddress(address), ADDRESS_DAYS),
    isShared: isSharedAddress(address),
    networks: byDay('sender network', (networks.at(-1) ?? networks[0]).name, NETWORK_DAYS),
  }
}
