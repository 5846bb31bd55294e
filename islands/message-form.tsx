import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { TextAreaField, TextField } from '#components/field.tsx'
import { adminMessageProblem, MESSAGE_TEXTS } from '#domain/admin-message.ts'
import { cleanText, LENGTHS } from '#domain/text.ts'
import { callApi } from '#islands/_api.ts'
import { finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { useSubmit } from '#islands/_submit.ts'

type MessageFormProps = {
  action: string
  typed?: { title?: string | undefined; content?: string | undefined }
  problem?: string
}

/** Writes a message that finders read before the contact details. */
export function MessageForm({ action, typed = {}, problem: found }: MessageFormProps) {
  const modal = useModal()
  const { form, busy, problem, onSubmit } = useSubmit(
    {
      main: {
        check: ({ title, content }) =>
          adminMessageProblem({ title: cleanText(title), content: cleanText(content) }),
        send: async ({ title, content }) => {
          const { id } = await callApi<{ id: string }>('POST', '/admin/messages', {
            title,
            content,
          })
          await finishDialog(MESSAGE_TEXTS.added, `message-${id}`)
        },
        fallback: 'Failed to add message',
      },
    },
    found,
  )
  const isTitle = problem?.toLowerCase().includes('title')
  return (
    <Dialog title="Add message" size="small" {...modal}>
      <form ref={form} method="post" action={action} noValidate onSubmit={onSubmit}>
        <DialogBody>
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
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            disabled={busy !== undefined}
            aria-busy={busy !== undefined}
          >
            {busy ? 'Adding...' : 'Add Message'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
