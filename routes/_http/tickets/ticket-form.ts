import type { Account } from '#db/schema.ts'
import { getTicketRow, type Promised } from '#db/tickets/tickets.ts'
import { DomainError } from '#domain/error.ts'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import { assertDedicatedSupport, TICKET_LENGTHS } from '#domain/tickets/ticket.ts'
import { bodyOf, whileSignedIn } from '#routes/_http/bodies.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { type Form, isMultipart, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { type Upload, withForm } from '#storage/uploads.ts'

type Fields = Record<string, unknown>
type Work<T> = (sent: Fields, file: Upload | undefined) => Promise<T>
type From = {
  /** what a call says, if it was read already */
  json?: Fields | undefined
  /** gets the words of a form, also when it is refused */
  typed?: Form
}

/** The name of the field of a file. */
const ATTACHMENT = 'attachment'

/** Passes the fields of a form or a call about a ticket to `work`, with its attachment. */
export async function withTicketForm<T>(
  c: AppContext,
  work: Work<T>,
  { json, typed = Object.create(null) }: From = {},
): Promise<T> {
  if (!isMultipart(c)) {
    if (!json) Object.assign(typed, (await readForm(c)).form)
    return work(json ?? typed, undefined)
  }
  const sent = {
    headers: c.req.raw.headers,
    body: bodyOf(c),
    account: requireAccount(c).id,
    name: ATTACHMENT,
    fields: typed,
    begin: () => limit(c, 'upload'),
    arrived: whileSignedIn(c),
  }
  return withForm(c.var.deps.files, DOCUMENT_FILES, sent, ({ file_name, ...form }) => {
    return work(form.fields, file_name ? { ...form, file_name } : undefined)
  })
}

/** Returns the JSON of a call. The types lack calls that accept a form too. */
export function jsonOf(c: AppContext): Fields | undefined {
  return c.req.valid('json' as never)
}

/** Refuses before a long upload is read. Throws not_found, and forbidden without dedicated support. */
export async function requireCustomer(c: AppContext, ticketId?: string): Promise<Account> {
  const account = requireAccount(c)
  if (ticketId !== undefined) {
    await orNoSupport(account, getTicketRow(c.var.deps.db, ticketId, account.id))
  }
  assertDedicatedSupport(account.subscription_plan)
  return account
}

/** Refuses an unknown ticket by the plan of the account, if that has no support. */
export function orNoSupport<T>({ subscription_plan }: Account, found: Promise<T>): Promise<T> {
  return found.catch((error) => {
    const isUnknown = error instanceof DomainError && error.kind === 'not_found'
    if (isUnknown) assertDedicatedSupport(subscription_plan)
    throw error
  })
}

/** Returns the time within which the support promises an answer. */
export function promisedBy({ var: { deps } }: AppContext): Promised {
  return { hours: deps.config.support.hours, now: deps.clock() }
}

/** Describes a form with an attachment as plain JSON Schema, because a zod schema would read the whole file into memory. */
export function ticketForm(fields: readonly (keyof typeof TICKET_LENGTHS)[]) {
  const texts = fields.map((name) => [name, { type: 'string', maxLength: TICKET_LENGTHS[name] }])
  return {
    schema: {
      type: 'object' as const,
      properties: {
        ...(Object.fromEntries(texts) as Record<string, { type: 'string'; maxLength: number }>),
        [ATTACHMENT]: {
          type: 'string' as const,
          format: 'binary',
          description:
            'A PDF, JPEG or PNG of at most 10 MB; last, so that a refusal keeps the rest',
        },
      },
      required: [...fields],
    },
    encoding: { [ATTACHMENT]: { contentType: 'application/pdf, image/jpeg, image/png' } },
  }
}
