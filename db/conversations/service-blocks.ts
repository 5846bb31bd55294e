import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import { hashesOf } from '#db/conversations/blocks.ts'
import { endConversation, undoEnding } from '#db/conversations/endings.ts'
import type { ListedReport } from '#db/conversations/moderated-reports.ts'
import type { FinderConversationRow, OfFinder } from '#db/schema.ts'
import { SERVICE_BLOCK_DAYS } from '#domain/conversations/rules.ts'
import { DomainError } from '#domain/error.ts'
import { DAY } from '#domain/rate-limits.ts'

/**
 * Ends a reported conversation, and refuses its sender's messages to all owners for 30 days. Throws conflict when the
 * sender's hashes are deleted already.
 */
export async function blockForAll(trx: Trx, report: ListedReport, now: Date): Promise<void> {
  const conversation = await findReported(trx, report)
  const hashes = conversation ? hashesOf(conversation) : []
  if (!conversation || hashes.length === 0) throw new DomainError('conflict.sender_unknown')
  const expires_at = toInstant(secondsAfter(now, SERVICE_BLOCK_DAYS * DAY))
  const blocks = hashes.map((sender_hash) => ({ sender_hash, report_id: report.id, expires_at }))
  await trx.insertInto('service_blocks').values(blocks).execute()
  await endConversation(trx, conversation, {}, now)
}

/** Accepts a sender's messages again, unless another report blocks them, and opens the conversation that the block ended. */
export async function unblockForAll(trx: Trx, report: ListedReport, now: Date): Promise<void> {
  await trx.deleteFrom('service_blocks').where('report_id', '=', report.id).execute()
  const conversation = await findReported(trx, report)
  if (conversation && report.decided_at) {
    await undoEnding(trx, conversation, report.decided_at, now)
  }
}

function findReported(
  trx: Trx,
  { conversation_id }: ListedReport,
): Promise<FinderConversationRow | undefined> {
  return trx
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversation_id ?? '')
    .$narrowType<OfFinder>()
    .executeTakeFirst()
}
