import { DeleteLink } from '#components/forms/ask-dialog.tsx'
import { SwitchForm } from '#components/forms/switch-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { adminHref } from '#domain/admin/admin.ts'
import type { MessageTexts } from '#domain/admin/admin-message.ts'
import { LANGS, LANGUAGES } from '#locales/languages.ts'

export type MessageCardView = {
  id: string
  title: string
  content: string
  is_active: boolean
  texts: MessageTexts
}

/** The message that finders read first, also while it is off. */
export function MessageCard({ view }: { view: MessageCardView }) {
  const { id, title, content, is_active, texts } = view
  const languages = LANGS.filter((lang) => texts[lang])
  return (
    <article className="card" aria-label={title}>
      <h3 className="text-md any-break" id={`message-${id}`} tabIndex={-1}>
        {title}
      </h3>
      <p className="any-break as-typed">{content}</p>
      {languages.map((lang) => (
        <div key={lang} className="any-break" lang={lang} dir="auto">
          <p className="soft small">{LANGUAGES[lang].name}</p>
          <b>{texts[lang]?.title}</b>
          <p className="as-typed">{texts[lang]?.content}</p>
        </div>
      ))}
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
        <a
          className="btn btn-sm btn-quiet"
          href={adminHref('system', { text: id })}
          data-dialog="text"
        >
          <Icon name="globe" />
          Another language
        </a>
        <DeleteLink
          href={adminHref('system', { delete: id })}
          name={title}
          gone="Message not found"
        />
      </div>
    </article>
  )
}
