import { TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { WRITTEN_BY_MAIL_APP } from '#domain/papers/share.ts'

export type DocumentShareProps = FormState & {
  name: string
  recipient?: string | undefined
  /** the problem of the address */
  problem?: string
  /** the new link */
  link?: string | undefined
}

/** Shares a document by e-mail, and shows the link that was made in any of the ways. */
export function DocumentShare({ name, recipient, problem, link, ...form }: DocumentShareProps) {
  const title = `Share ${name}`
  if (link) return <SharedLink title={title} link={link} />
  return (
    <FormDialog
      {...form}
      title={title}
      submit="Send"
      noValidate
      quiet
      failed="Failed to share document"
    >
      <input type="hidden" name="share_method" value="email" />
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
    </FormDialog>
  )
}

/**
 * A script follows the link. Only a mail keeps the dialog open, for where no program opens; of the
 * other two the script says `data-done` instead.
 */
function SharedLink({ title, link }: { title: string; link: string }) {
  const isMail = link.startsWith('mailto:')
  const isChat = link.startsWith('https://wa.me/')
  const done = isChat ? 'WhatsApp opens with the link' : 'Download starts'
  return (
    <Dialog title={title} size="small" open>
      <DialogBody>
        <Note tone="go">{isMail ? WRITTEN_BY_MAIL_APP : 'The link works for 7 days.'}</Note>
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Done</DialogCancel>
        <a
          className="btn btn-main"
          href={link}
          data-follow
          data-done={isMail ? undefined : done}
          {...(isChat && { target: '_blank', rel: 'noreferrer' })}
        >
          <Icon name="link" />
          Open the link
        </a>
      </DialogFoot>
    </Dialog>
  )
}
