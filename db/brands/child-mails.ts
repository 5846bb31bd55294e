import { findBrandForChild } from '#db/brands/resolve-brand.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Alert } from '#domain/alerts/alert.ts'
import { inName } from '#domain/brands/brand.ts'
import { escapeHtml, type MailText } from '#domain/mail.ts'

/** The account that a mail or alert is about, or else the address that a mail goes to. */
type Whom = { email: string } | { id: string; isAlert?: true }

/**
 * Returns a mail and its alerts for a child user whose parent hides the product: with the brand's
 * name in place of the product's. Mails to others, and those of a sender, stay as they are. So do mails about a child
 * user who has proven no address: the owner of the brand may have typed it.
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
    .select(['id', 'parent_id'])
    .where('parent_id', 'is not', null)
    .where((eb) => ('id' in whom ? eb('id', '=', whom.id) : eb('email', '=', whom.email)))
    .$if(!('isAlert' in whom), (query) => query.where('email_verified_at', 'is not', null))
    .executeTakeFirst()
  const brand = child && (await findBrandForChild(db, child, now))
  if (!brand) return written
  const texts = TEXTS.flatMap((key) => {
    const text = written[key as keyof Written]
    const name = key === 'html' ? escapeHtml(brand.name ?? '') : brand.name
    return typeof text === 'string' ? [[key, inName(text, name)]] : []
  })
  return { ...written, ...Object.fromEntries(texts), sender: brand.name }
}

/** Names the brand like `nameForChild`, in an alert, which has no mark then, and in its mail. */
export async function nameAlert(
  db: DbOrTrx,
  { alert, mail }: { alert: Alert; mail: MailText },
  accountId: string,
  now: Date,
): Promise<{ alert: Alert; mail: MailText }> {
  const named = await nameForChild(db, { ...mail, ...alert }, { id: accountId, isAlert: true }, now)
  const { subject, text, html, sender, title, body } = named
  return {
    alert: { ...alert, title, body, ...(sender && { isUnmarked: true as const }) },
    mail: { subject, text, html, sender },
  }
}

const TEXTS = ['subject', 'text', 'html', 'title', 'body']
