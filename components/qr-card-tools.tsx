import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '#components/icon.tsx'
import { dialogHref, type QrDialog } from '#components/qr-actions.ts'
import type { QrCardView } from '#components/qr-card-view.ts'

/** What can be done with a code. Small cards keep Docs and Edit in the menu. */
export function QrCardTools({ view }: { view: QrCardView }) {
  const { qr_id, scan_url, may } = view
  return (
    <div className="tools">
      <ToolLink icon="eye" label="Preview" href={`/scan/${qr_id}?preview=1`} target="_blank" />
      <button className="tool" type="button" data-action="copy-link" data-url={scan_url}>
        <Icon name="link" />
        <span>Copy Link</span>
      </button>
      {may.edit && <DialogTool dialog="docs" icon="doc" label="Docs" qrId={qr_id} />}
      {may.edit && <DialogTool dialog="edit" icon="edit" label="Edit" qrId={qr_id} />}
      <details className="menu menu-up">
        <summary className="tool">
          <Icon name="more" />
          <span>More</span>
        </summary>
        <div className="menu-list">
          <MoreItems view={view} />
        </div>
      </details>
    </div>
  )
}

function MoreItems({ view }: { view: QrCardView }) {
  const { qr_id, scan_url, may } = view
  return (
    <>
      {may.edit && <DialogItem dialog="docs" icon="doc" label="Docs" qrId={qr_id} small />}
      {may.edit && <DialogItem dialog="edit" icon="edit" label="Edit" qrId={qr_id} small />}
      <ShareItem icon="whatsapp" label="WhatsApp" href={whatsAppHref(scan_url)} may={may.share} />
      <ShareItem icon="mail" label="Email" href={mailHref(scan_url)} may={may.share} />
      <ButtonItem icon="share" label="Share" data-action="share" data-url={scan_url} />
      <ButtonItem icon="download" label="PNG" data-action="download" data-format="png" />
      <ButtonItem icon="download" label="SVG" data-action="download" data-format="svg" />
      {may.delete && <DialogItem dialog="delete" icon="trash" label="Delete" qrId={qr_id} stop />}
    </>
  )
}

type Labelled = { icon: IconName; label: string }

function ToolLink({ icon, label, ...link }: Labelled & ComponentProps<'a'>) {
  return (
    <a className="tool" {...link}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  )
}

type Opening = Labelled & { dialog: QrDialog; qrId: string }

function DialogTool({ icon, label, dialog, qrId }: Opening) {
  return (
    <a className="tool tool-large" href={dialogHref(dialog, qrId)} data-action={dialog}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  )
}

function DialogItem({ icon, label, dialog, qrId, small, stop }: Opening & ItemLook) {
  return (
    <a className={itemClass({ small, stop })} href={dialogHref(dialog, qrId)} data-action={dialog}>
      <Icon name={icon} />
      {label}
    </a>
  )
}

/** Sharing is part of the paid plans: without it the same words lead to them. */
function ShareItem({ icon, label, href, may }: Labelled & { href: string; may: boolean }) {
  if (!may) {
    return (
      <a className={itemClass({})} href={dialogHref('upgrade')} data-action="upgrade">
        <Icon name="crown" />
        {label}
      </a>
    )
  }
  return (
    <a className={itemClass({})} href={href} target="_blank" rel="noreferrer">
      <Icon name={icon} />
      {label}
    </a>
  )
}

function ButtonItem({ icon, label, ...button }: Labelled & ComponentProps<'button'>): ReactNode {
  return (
    <button className={itemClass({})} type="button" {...button}>
      <Icon name={icon} />
      {label}
    </button>
  )
}

type ItemLook = { small?: boolean; stop?: boolean }

function itemClass({ small, stop }: ItemLook): string {
  return `btn btn-quiet btn-sm${small ? ' tool-small' : ''}${stop ? ' tool-stop' : ''}`
}

function whatsAppHref(scanUrl: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`My DriveQR code: ${scanUrl}`)}`
}

function mailHref(scanUrl: string): string {
  return `mailto:?subject=${encodeURIComponent('My DriveQR code')}&body=${encodeURIComponent(scanUrl)}`
}
