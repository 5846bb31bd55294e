import { findWorn } from '#db/brands/worn.ts'
import type { DbOrTrx } from '#db/client.ts'
import { inName } from '#domain/brands/brand.ts'
import { escapeHtml, type MailText } from '#domain/mail.ts'

type Whom = { email: string } | { id: string }

/**
 * A mail, and what else says the same, for a child user whose parent hides the product: with the brand's
 * name wherever the product's stands. Mails to others, and those of a sender, stay as they are.
 */
export async function nameForChild<Written extends MailText>(
  db: DbOrTrx,
  written: Written,
  whom: Whom,
  now: Date,
): Promise<Written> {
  if (written.sender) return written
  const child = await db
    .selectFrom('accounts')
    .select('id')
    .where('parent_id', 'is not', null)
    .where(({ eb }) => ('id' in whom ? eb('id', '=', whom.id) : eb('email', '=', whom.email)))
    .executeTakeFirst()
  const { brand } = child ? await findWorn(db, child.id, now) : { brand: undefined }
  if (!brand?.isAlone) return written
  const texts = TEXTS.flatMap((key) => {
    const text = written[key as keyof Written]
    const name = key === 'html' ? escapeHtml(brand.name ?? '') : brand.name
    return typeof text === 'string' ? [[key, inName(text, name)]] : []
  })
  return { ...written, ...Object.fromEntries(texts), sender: brand.name }
}

const TEXTS = ['subject', 'text', 'html', 'title', 'body']
