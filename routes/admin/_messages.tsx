import type { ComponentProps, ReactElement } from 'react'
import { MessageCard } from '#components/admin/message-card.tsx'
import { MessageDelete } from '#components/admin/message-delete.tsx'
import { MessageForm } from '#components/admin/message-form.tsx'
import { MessageTextForm } from '#components/admin/message-text-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { getAdminMessage, listAdminMessages } from '#db/admin/admin-messages.ts'
import { randomToken } from '#db/secrets.ts'
import { adminHref } from '#domain/admin/admin.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the messages that finders read before the contact details of every code. */
export async function renderMessages(c: AppContext): Promise<ReactElement> {
  const messages = await listAdminMessages(c.var.deps.db)
  return (
    <section className="sheet stack" aria-labelledby="messages">
      <div className="head">
        <h2 className="text-lg" id="messages">
          Scan page messages
        </h2>
        <a className="btn" href={adminHref('system', { create: '1' })} data-dialog="create">
          <Icon name="plus" />
          Add Message
        </a>
      </div>
      <p className="soft small">
        Finders read active messages before the contact details. Keep them few.
      </p>
      {messages.length > 0 ? (
        <div className="cards">
          {messages.map((message) => (
            <MessageCard key={message.id} view={message} />
          ))}
        </div>
      ) : (
        <p className="soft">No messages yet.</p>
      )}
    </section>
  )
}

/** Renders the dialog that the address asks for. Throws not_found for a deleted message. */
export async function requestedMessageDialog(c: AppContext): Promise<ReactElement | undefined> {
  const { create, text, delete: deleted } = c.req.query()
  if (create) return messageDialog()
  if (text) return <MessageTextForm id={(await getAdminMessage(c.var.deps.db, text)).id} />
  if (!deleted) return undefined
  const { id, title } = await getAdminMessage(c.var.deps.db, deleted)
  return <MessageDelete title={title} action={`/admin/messages/${id}/delete`} />
}

export function messageDialog(
  state: Omit<ComponentProps<typeof MessageForm>, 'action' | 'form_key'> = {},
): ReactElement {
  return <MessageForm action={'/admin/messages'} form_key={randomToken()} {...state} />
}
