import type { Db } from '#db/client.ts'
import { loadSecretKey, unseal } from '#db/secrets.ts'
import { type ContentOf, filesOf } from '#lab/drills/_audit.ts'
import type { Folder } from '#lab/drills/_folder.ts'
import { MESSAGE_TEXT, type Said } from '#lab/drills/_talk.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { type Received, textOf } from '#tests/support/smtp.ts'

/** A mail. `at` is its time of arrival, or infinity while it waits. */
type Letter = { to: string; text: string; at: number }

/**
 * Finds acknowledged messages that are lost or lack the files of their photo, texts that are stored more than
 * once, and messages whose mail neither waits nor has arrived.
 */
export async function auditTalk(
  folder: Folder,
  said: Said[],
  received: Received[],
  contentOf: ContentOf = filesOf(folder.dataDir),
) {
  const { dataDir } = folder
  const { db, close } = await openDatabaseOf(folder)
  const letters = [...(await listWaiting(db, dataDir)), ...received.map(toLetter)]
  const quoted = new Set<string>()
  const newest = new Map<string, number>()
  for (const { to, text, at } of letters) {
    for (const message of text.match(MESSAGE_TEXT) ?? []) quoted.add(`${to} ${message}`)
    newest.set(to, Math.max(newest.get(to) ?? 0, at))
  }
  const rows = new Map<string, Stored[]>()
  for (const row of await listStored(db)) {
    rows.set(row.text, [...(rows.get(row.text) ?? []), row])
  }
  await close()
  const hasFile = (name: string | null) => name !== null && contentOf(name) !== undefined
  const lost = said.filter(({ from, text, hasPhoto }) => {
    const [row] = rows.get(text) ?? []
    if (row?.sender !== from) return true
    return hasPhoto && !(hasFile(row.photo_name) && hasFile(row.photo_thumbnail_name))
  })
  const owed = said.filter(({ from, text }) => recipientOf(rows.get(text)?.[0], from))
  const unmailed = owed.filter(({ from, text, sentAt }) => {
    const to = recipientOf(rows.get(text)?.[0], from) ?? ''
    // A mail to a finder does not quote the answer, so any mail after the answer counts.
    return from === 'finder' ? !quoted.has(`${to} ${text}`) : (newest.get(to) ?? 0) < sentAt
  })
  const doubled = [...rows.values()].filter((same) => same.length > 1)
  return { stored: new Set(rows.keys()), lost, doubled, owed, unmailed }
}

type Stored = Awaited<ReturnType<typeof listStored>>[number]

/** Returns the address that a message is mailed to, or null. */
function recipientOf(row: Stored | undefined, from: Said['from']): string | null {
  if (!row) return null
  return from === 'owner' ? row.reply_to : row.email_verified_at && row.email
}

function listStored(db: Db) {
  return db
    .selectFrom('conversation_messages')
    .innerJoin('conversations', 'conversations.id', 'conversation_messages.conversation_id')
    .innerJoin('accounts', 'accounts.id', 'conversations.account_id')
    .select(['sender', 'text', 'reply_to', 'photo_name', 'photo_thumbnail_name'])
    .select(['email', 'email_verified_at'])
    .execute()
}

async function listWaiting(db: Db, dataDir: string): Promise<Letter[]> {
  const key = loadSecretKey(dataDir)
  const rows = await db.selectFrom('outbox').select(['id', 'recipient', 'text']).execute()
  return rows.map(({ id, recipient, text }) => {
    return { to: recipient ?? '', text: unseal(key, id, text) ?? '', at: Number.POSITIVE_INFINITY }
  })
}

function toLetter(mail: Received): Letter {
  return { to: mail.to[0] ?? '', text: textOf(mail), at: mail.at }
}
