import type { ComponentProps } from 'react'
import type { QrCardView } from '#components/codes/qr-card-view.ts'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import {
  dialogHref,
  formAction,
  imageHref,
  type QrPlace,
  tabHref,
  upgradeHref,
} from '#domain/dashboard.ts'
import type { QrDialog } from '#domain/dialogs.ts'
import { settingsHref } from '#domain/settings.ts'

type Props = { view: QrCardView; place: QrPlace }
/** which code it is, for screen readers */
type Named = { about: string }

/** Pixels per module of the images that a card offers. */
const CARD_IMAGE_SIZE = 15

/** The acts on a code, the most frequent in one tap. */
export function QrCardTools({ view, place, about }: Props & Named) {
  const { qr_id, scan_url, may } = view
  return (
    <div className="tools">
      {may.download && <ImageTools qrId={qr_id} about={about} />}
      {/* Without sharing, a plan still hands out the link. */}
      <button
        className="tool needs-script"
        type="button"
        aria-label={`Share: ${about}`}
        data-action={may.share === 'all' ? 'share' : 'copy-link'}
        data-qr={qr_id}
        data-url={scan_url}
      >
        <ToolFace icon="share" label="Share" />
      </button>
      {may.upload && (
        <a
          className="tool"
          href={tabHref('documents', undefined, { upload: qr_id })}
          aria-label={`Docs: ${about}`}
          data-dialog="upload"
        >
          <ToolFace icon="doc" label="Docs" />
        </a>
      )}
      {may.edit ? (
        <a
          className="tool"
          href={dialogHref('edit', place, qr_id)}
          aria-label={`Edit: ${about}`}
          data-dialog="edit"
          data-qr={qr_id}
        >
          <ToolFace icon="edit" label="Edit" />
        </a>
      ) : (
        <a className="tool" href={previewHref(qr_id)} aria-label={`Preview: ${about}`} {...NEW_TAB}>
          <ToolFace icon="eye" label="Preview" />
        </a>
      )}
      <details className="menu" name="qr-menu">
        <summary className="tool" aria-label={`More: ${about}`}>
          <ToolFace icon="more" label="More" />
        </summary>
        <div className="menu-list">
          <MoreItems view={view} place={place} />
        </div>
      </details>
    </div>
  )
}

function ToolFace({ icon, label }: Labelled) {
  return (
    <>
      <Icon name={icon} />
      <span>{label}</span>
    </>
  )
}

function ImageTools({ qrId, about }: { qrId: string } & Named) {
  return (['png', 'svg'] as const).map((format) => (
    <a
      key={format}
      className="tool tool-word"
      href={imageHref(qrId, format, CARD_IMAGE_SIZE)}
      aria-label={`${format.toUpperCase()}: ${about}`}
      {...downloadOf(qrId, format, CARD_IMAGE_SIZE)}
    >
      <ToolFace icon="download" label={format.toUpperCase()} />
    </a>
  ))
}

const NEW_TAB = { target: '_blank', rel: 'noopener' } as const

function previewHref(qrId: string): string {
  return `/scan/${qrId}?preview=1`
}

function MoreItems({ view, place }: Props) {
  const { qr_id, scan_url, may } = view
  return (
    <>
      {may.edit && <Item icon="eye" label="Preview" href={previewHref(qr_id)} {...NEW_TAB} />}
      <button
        className={`${itemClass({})} needs-script`}
        type="button"
        data-action="copy-link"
        data-url={scan_url}
      >
        <Icon name="link" />
        Copy Link
      </button>
      {may.share === 'all' && <ShareItems view={view} />}
      {may.share === 'upgrade' && <SharingUpsell />}
      {may.print && (
        <DialogItem dialog="labels" icon="print" label="Print label" {...{ place, qr_id }} />
      )}
      {may.activate && (
        <DialogItem
          dialog="activation"
          icon="key"
          label="New activation code"
          {...{ place, qr_id }}
        />
      )}
      <LostItem view={view} place={place} />
      {may.replace && (
        <DialogItem dialog="replace" icon="refresh" label="Replace" {...{ place, qr_id }} />
      )}
      {may.people && (
        <Item
          icon="users"
          label="Share with people"
          href={settingsHref('people', { invite: qr_id })}
        />
      )}
      {may.transfer && (
        <DialogItem dialog="transfer" icon="swap" label="Transfer" {...{ place, qr_id }} />
      )}
      {may.switch && <ActiveSwitch view={view} place={place} />}
      {may.delete && (
        <DialogItem dialog="delete" icon="trash" label="Delete" {...{ place, qr_id }} stop />
      )}
    </>
  )
}

type Labelled = { icon: IconName; label: string }
type ItemLook = { stop?: boolean }
type Opening = Labelled & ItemLook & { dialog: QrDialog; place: QrPlace; qr_id: string }

function DialogItem({ icon, label, dialog, place, qr_id, stop }: Opening) {
  return (
    <Item
      icon={icon}
      label={label}
      className={itemClass({ stop })}
      href={dialogHref(dialog, place, qr_id)}
      data-dialog={dialog}
    />
  )
}

/** The link goes by itself; with script the image is saved first, so that it can be attached. */
function ShareItems({ view }: { view: QrCardView }) {
  const { qr_id, scan_url } = view
  const send = { 'data-action': 'send', 'data-qr': qr_id }
  return (
    <>
      <Item
        icon="whatsapp"
        label="WhatsApp"
        href={whatsAppHref(scan_url)}
        target="_blank"
        rel="noreferrer"
        {...send}
      />
      <Item icon="mail" label="Email" href={mailHref(scan_url)} {...send} />
    </>
  )
}

/** Both are part of the paid plans: without them a word leads there. */
function SharingUpsell() {
  const label = 'WhatsApp and Email with Premium'
  return <Item icon="crown" label={label} href={upgradeHref()} data-dialog="upgrade" />
}

/** Download links. `size` is pixels per module. */
export function DownloadLinks(props: {
  qrId: string
  size: number
  className: string
  /** in the frame of the brand */
  hasFrame?: boolean
}) {
  const { qrId, size, className, hasFrame = false } = props
  return (['png', 'svg'] as const).map((format) => (
    <Item
      key={format}
      icon="download"
      label={format.toUpperCase() + (hasFrame ? ' with frame' : '')}
      className={className}
      href={imageHref(qrId, format, size, hasFrame)}
      {...downloadOf(qrId, format, size, hasFrame)}
    />
  ))
}

/** The attributes of a link to an image, by which a script reports its failure. */
function downloadOf(qrId: string, format: 'png' | 'svg', size: number, hasFrame = false) {
  return {
    download: true,
    'data-action': 'download',
    'data-qr': qrId,
    'data-format': format,
    'data-size': size,
    'data-frame': hasFrame ? '1' : undefined,
  }
}

function LostItem({ view: { qr_id, may }, place }: Props) {
  if (may.lost === 'mark') {
    return <DialogItem dialog="lost" icon="lost" label="Mark as lost" {...{ place, qr_id }} />
  }
  if (may.lost === 'upgrade') {
    return (
      <Item
        icon="crown"
        label="Mark as lost with Premium"
        href={upgradeHref()}
        data-dialog="upgrade"
      />
    )
  }
  if (may.lost === undefined) return null
  return (
    <form
      method="post"
      action={formAction(`/${qr_id}/lost`, place)}
      data-enhance
      data-failed="Failed to update QR code"
    >
      <button className={itemClass({})} type="submit" name="lost" value="0">
        <Icon name="check" />
        Found again
      </button>
    </form>
  )
}

function ActiveSwitch({ view, place }: Props) {
  const { qr_id, is_active } = view
  return (
    <form
      method="post"
      action={formAction(`/${qr_id}/active`, place)}
      data-enhance
      data-failed="Failed to update QR code"
    >
      <input type="hidden" name="is_active" value={is_active ? '0' : '1'} />
      <button className={itemClass({})} type="submit">
        <Icon name="power" />
        {is_active ? 'Deactivate' : 'Activate'}
      </button>
    </form>
  )
}

function Item({ icon, label, className = itemClass({}), ...link }: Labelled & ComponentProps<'a'>) {
  return (
    <a className={className} {...link}>
      <Icon name={icon} />
      {label}
    </a>
  )
}

function itemClass({ stop }: ItemLook): string {
  return stop ? 'btn btn-quiet btn-sm btn-red' : 'btn btn-quiet btn-sm'
}

function whatsAppHref(scanUrl: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`My QR code: ${scanUrl}`)}`
}

function mailHref(scanUrl: string): string {
  return `mailto:?subject=${encodeURIComponent('My QR code')}&body=${encodeURIComponent(scanUrl)}`
}
