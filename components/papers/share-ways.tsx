import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'

type ShareWaysProps = {
  name: string
  action: string
  /** the dialog that asks for an address */
  mail_href: string
}

/** Offers the ways to share a document. Each makes a link of its own. */
export function ShareWays({ name, action, mail_href }: ShareWaysProps) {
  return (
    <Dialog title={`Share ${name}`} size="small" open>
      <DialogBody>
        <p className="soft">The link works for 7 days. You can end it any time in the Gallery.</p>
        <form
          className="stack gap-2"
          method="post"
          action={action}
          data-enhance
          data-failed="Failed to share document"
        >
          <button className="btn" type="submit" name="share_method" value="whatsapp">
            <Icon name="whatsapp" />
            WhatsApp
          </button>
          <a className="btn" href={mail_href} data-dialog="share" data-gone="Document not found">
            <Icon name="mail" />
            Email
          </a>
          <button className="btn" type="submit" name="share_method" value="download">
            <Icon name="download" />
            Download
          </button>
        </form>
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Cancel</DialogCancel>
      </DialogFoot>
    </Dialog>
  )
}
