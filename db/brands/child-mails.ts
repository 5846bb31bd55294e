import type { ExpressionBuilder } from 'kysely'
import { findBrandForChild } from '#db/brands/resolve-brand.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'
import type { Alert } from '#domain/alerts/alert.ts'
import { inName } from '#domain/brands/brand.ts'
import { escapeHtml, type MailText } from '#domain/mail.ts'

/** The address that a mail goes to, with the account that it is about; for an alert, the account alone. */
type Whom = { to: string; accountId: string | undefined } | { id: string }

/**
 * Returns a mail and its alerts for a child user whose parent hides the product: with the brand's
 * name in place of the product's. Mails to others, and those of a sender, stay as they are. So do mails to an address
 * that the child user has not proven: the owner of the brand may have typed it.
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
    .where((eb) => ('id' in whom ? eb('id', '=', whom.id) : hasProven(eb, whom)))
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

/** The accounts that have proven an address: the one that has it, or the one that can take it back. */
function hasProven(
  { eb, and, or, exists, selectFrom }: ExpressionBuilder<Tables, 'accounts'>,
  { to, accountId = '' }: { to: string; accountId: string | undefined },
) {
  const earlier = selectFrom('email_ways_back')
    .select('token_hash')
    .whereRef('email_ways_back.account_id', '=', 'accounts.id')
    .where('email_ways_back.email', '=', to)
  return or([
    and([eb('email', '=', to), eb('email_verified_at', 'is not', null)]),
    and([eb('id', '=', accountId), exists(earlier)]),
  ])
}

/** Names the brand like `nameForChild`, in an alert, which has no mark then, and in its mail. */
export async function nameAlert(
  db: DbOrTrx,
  { alert, mail }: { alert: Alert; mail: MailText },
  accountId: string,
  now: Date,
): Promise<{ alert: Alert; mail: MailText }> {
  const named = await nameForChild(db, { ...mail, ...alert }, { id: accountId }, now)
  const { subject, text, html, sender, title, body } = named
  return {
    alert: { ...alert, title, body, ...(sender && { isUnmarked: true as const }) },
    mail: { subject, text, html, sender },
  }
}

const TEXTS = ['subject', 'text', 'html', 'title', 'body']
