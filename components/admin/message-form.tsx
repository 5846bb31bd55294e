import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { LENGTHS } from '#domain/text.ts'

type MessageFormProps = {
  action: string
  form_key: string
  typed?: { title?: string | undefined; content?: string | undefined }
  problem?: string | undefined
}

/** Writes a message that finders read before the contact details. */
export function MessageForm({ action, form_key, typed = {}, problem }: MessageFormProps) {
  const isTitle = problem?.toLowerCase().includes('title')
  return (
    <FormDialog
      title="Add message"
      submit="Add Message"
      action={action}
      noValidate
      failed="Failed to add message"
    >
      <input type="hidden" name="form_key" value={form_key} />
      <p className="soft">Finders read it before the contact details, on every QR code.</p>
      <TextField
        label="Title"
        error={isTitle ? problem : undefined}
        name="title"
        maxLength={LENGTHS.other}
        defaultValue={typed.title}
        required
      />
      <TextAreaField
        label="Message"
        error={isTitle ? undefined : problem}
        name="content"
        rows={4}
        maxLength={LENGTHS.message}
        defaultValue={typed.content}
        required
      />
    </FormDialog>
  )
}
