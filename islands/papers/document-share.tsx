import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { TextField } from '#components/ui/field.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { readRecipient } from '#domain/papers/share.ts'
import { type ApiProblem, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'
import { mailShare } from '#islands/papers/_share-document.ts'

type DocumentShareProps = {
  id: string
  name: string
  action: string
  recipient?: string | undefined
  /** why it was refused, without script */
  message?: string
  /** what it came to, without script */
  link?: string | undefined
}

const FAILED = 'Failed to share document'

/** Shares a document by e-mail; whoever has no script finds the other ways here too. */
export function DocumentShare({ id, name, action, recipient, message, link }: DocumentShareProps) {
  const [problem, setProblem] = useState(message)
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    dismissErrors()
    const field = event.currentTarget.elements.namedItem('recipient') as HTMLInputElement
    const wrong = recipientProblem(field.value)
    setProblem(wrong)
    if (wrong) return field.focus()
    setBusy(true)
    try {
      await finishDialog(await mailShare(id, field.value.trim(), name), `gallery-${id}`)
    } catch (error) {
      if (isGone(error)) return abandonDialog(FAILED)
      showToast(FAILED, 'error')
      setProblem((error as ApiProblem).message)
      setBusy(false)
    }
  }

  return (
    <Dialog title={`Share ${name}`} size="small" {...modal}>
      {link ? (
        <SharedLink link={link} />
      ) : (
        <form method="post" action={action} noValidate onSubmit={onSubmit}>
          <DialogBody>
            <TextField
              label="Email address"
              hint="The link works for 7 days. You can end it any time below the gallery."
              error={problem}
              name="recipient"
              type="email"
              autoComplete="email"
              maxLength={200}
              defaultValue={recipient}
            />
          </DialogBody>
          <DialogFoot>
            <DialogCancel>Cancel</DialogCancel>
            <button
              className="btn btn-main"
              type="submit"
              name="share_method"
              value="email"
              disabled={busy}
              aria-busy={busy}
            >
              Send
            </button>
            <noscript>
              <button className="btn" type="submit" name="share_method" value="whatsapp">
                WhatsApp
              </button>
              <button className="btn" type="submit" name="share_method" value="download">
                Download
              </button>
            </noscript>
          </DialogFoot>
        </form>
      )}
    </Dialog>
  )
}

function SharedLink({ link }: { link: string }) {
  return (
    <>
      <DialogBody>
        <Note tone="go">The link works for 7 days.</Note>
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Done</DialogCancel>
        <a className="btn btn-main" href={link} target="_blank" rel="noreferrer">
          <Icon name="link" />
          Open the link
        </a>
      </DialogFoot>
    </>
  )
}

function recipientProblem(typed: string): string | undefined {
  try {
    readRecipient('email', typed)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
