import { SelectField, TextAreaField, TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { LENGTHS } from '#domain/text.ts'
import { LANGS, LANGUAGES } from '#locales/languages.ts'

type MessageTextFormProps = {
  id: string
  typed?: { lang: string; title?: string | undefined; content?: string | undefined }
  problem?: string | undefined
}

/** Writes a message once more, for finders who read another language. */
export function MessageTextForm({ id, typed, problem }: MessageTextFormProps) {
  const isTitle = problem?.toLowerCase().includes('title')
  return (
    <FormDialog
      title="Message in another language"
      submit="Save"
      action={`/admin/messages/${id}/text`}
      noValidate
      failed="Failed to save the text"
    >
      <p className="soft">
        Finders with this language read it instead. Empty both fields to remove it.
      </p>
      <SelectField label="Language" name="lang" defaultValue={typed?.lang ?? 'hi'}>
        {LANGS.map((lang) => (
          <option key={lang} value={lang} lang={lang}>
            {LANGUAGES[lang].name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Title"
        error={isTitle ? problem : undefined}
        name="title"
        dir="auto"
        maxLength={LENGTHS.other}
        defaultValue={typed?.title}
      />
      <TextAreaField
        label="Message"
        error={isTitle ? undefined : problem}
        name="content"
        dir="auto"
        rows={4}
        maxLength={LENGTHS.message}
        defaultValue={typed?.content}
      />
    </FormDialog>
  )
}
