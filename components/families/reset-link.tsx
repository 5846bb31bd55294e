import { QrFrame } from '#components/codes/qr-frame.tsx'
import { CopyButton } from '#components/forms/copy.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { readPhone, whatsappHref } from '#domain/accounts/phone.ts'
import { RESET_LINK_HOURS } from '#domain/families/password-reset.ts'

export type ResetLinkView = {
  child_name: string
  child_contact: string
  url: string
  /** what the owner passes on */
  message: string
  /** the link as a PNG in base64 */
  image: string
}

/** The link of an approval, this once: to be copied, sent, or read off the screen. */
export function ResetLinkDialog({ link }: { link: ResetLinkView }) {
  const { child_name, url, image } = link
  return (
    <Dialog title={`Link for ${child_name}`} size="small" open>
      <DialogBody>
        <Note tone="warn">
          {`Send it to ${child_name} now: it is not shown again. It works once, within ${RESET_LINK_HOURS} hours.`}
        </Note>
        <div className="qr-full">
          <QrFrame
            src={`data:image/png;base64,${image}`}
            caption="Scan to set a password"
            alt="QR code of the link"
          />
        </div>
        <TextField
          label="Link"
          id="reset-url"
          name="reset_url"
          defaultValue={url}
          readOnly
          dir="ltr"
        />
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Done</DialogCancel>
        <CopyButton name="Link" from="reset-url" look="btn" icon="link" />
        <a className="btn" href={sendHref(link)} target="_blank" rel="noreferrer">
          <Icon name="whatsapp" />
          WhatsApp
        </a>
      </DialogFoot>
    </Dialog>
  )
}

/** To the child's number; for one with an e-mail the owner chooses the chat. */
function sendHref({ child_contact, message }: ResetLinkView): string {
  const phone = readPhone(child_contact)
  return (
    (phone && whatsappHref(phone, message)) ?? `https://wa.me/?text=${encodeURIComponent(message)}`
  )
}
