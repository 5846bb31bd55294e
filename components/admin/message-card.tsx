import { DeleteLink } from '#components/forms/delete-dialog.tsx'
import { SwitchForm } from '#components/forms/switch-form.tsx'
import { adminHref } from '#domain/admin/admin.ts'

export type MessageCardView = { id: string; title: string; content: string; is_active: boolean }

/** The message that finders read first, also while it is off. */
export function MessageCard({ view }: { view: MessageCardView }) {
  const { id, title, content, is_active } = view
  return (
    <article className="card" aria-label={title}>
      <h3 className="text-md any-break" id={`message-${id}`} tabIndex={-1}>
        {title}
      </h3>
      <p className="any-break as-typed">{content}</p>
      <div className="row">
        <SwitchForm
          id={`shown-${id}`}
          on={is_active}
          label="Active"
          about={title}
          field="is_active"
          action={`/admin/messages/${id}/toggle`}
          data-failed="Failed to update message"
        />
        <DeleteLink
          href={adminHref('system', { delete: id })}
          name={title}
          gone="Message not found"
        />
      </div>
    </article>
  )
}
