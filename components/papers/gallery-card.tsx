import { Badge, LockedBadge, VisibilityBadge } from '#components/ui/badge.tsx'
import { Icon, type IconName } from '#components/ui/icon.tsx'
import { ThumbIcon, ThumbImage } from '#components/ui/thumb.tsx'
import type { ShareMethod } from '#domain/papers/share.ts'

export type GalleryCardView = {
  id: string
  /** type and side in one, as it is spoken of */
  name: string
  label: string
  side: string | undefined
  file_name: string
  is_public: boolean
  is_own: boolean
  /** closed until a reset of the account's password is confirmed */
  is_locked: boolean
  /** null for a PDF */
  thumbnail_url: string | null
  file_url: string
  /** the dialogs of this document over the gallery */
  show_href: string
  share_href: string
}

/** One document; a picture opens on the spot, a PDF in a tab of its own. */
export function GalleryCard({ view }: { view: GalleryCardView }) {
  const { id, name, label, side, file_name, is_public, is_own, is_locked } = view
  return (
    <article className="card card-tight" aria-label={`${name}, ${file_name}`}>
      {is_locked ? <Locked /> : <OpenLink view={view} />}
      <div className="stack gap-2">
        <h3 className="text-md" id={`gallery-${id}`} tabIndex={-1}>
          {label}
        </h3>
        <p className="small soft any-break">{file_name}</p>
        <div className="row gap-2">
          <VisibilityBadge isPublic={is_public} />
          {side && <Badge>{side}</Badge>}
          {is_locked && <LockedBadge />}
        </div>
      </div>
      {is_own && !is_locked && <ShareTools view={view} />}
    </article>
  )
}

function Locked() {
  return (
    <span className="thumb" aria-hidden="true">
      <ThumbIcon name="lock" />
    </span>
  )
}

function OpenLink({ view }: { view: GalleryCardView }) {
  const { name, thumbnail_url, file_url, show_href } = view
  if (!thumbnail_url) {
    return (
      <a className="thumb" href={file_url} target="_blank" rel="noopener">
        <ThumbIcon name="doc">
          PDF<span className="vh">{`: open ${name} in a new tab`}</span>
        </ThumbIcon>
      </a>
    )
  }
  return (
    <a className="thumb" href={show_href} data-dialog="show" data-gone="Document not found">
      <ThumbImage src={thumbnail_url} alt={`Open ${name}`} />
    </a>
  )
}

const METHODS: { method: ShareMethod; icon: IconName; label: string }[] = [
  { method: 'whatsapp', icon: 'whatsapp', label: 'WhatsApp' },
  { method: 'email', icon: 'mail', label: 'Email' },
  { method: 'download', icon: 'download', label: 'Download' },
]

/** Without script all three lead to the dialog; with script only e-mail needs it. */
function ShareTools({ view: { id, name, share_href } }: { view: GalleryCardView }) {
  return (
    <div className="card-tools">
      {METHODS.map(({ method, icon, label }) => (
        <a
          key={method}
          className="btn btn-quiet btn-sm btn-icon"
          href={share_href}
          title={label}
          data-gone="Document not found"
          {...(method === 'email'
            ? { 'data-dialog': 'share' }
            : { 'data-action': 'share-document', 'data-id': id, 'data-method': method })}
        >
          <Icon name={icon} />
          <span className="vh">{`${label}: ${name}`}</span>
        </a>
      ))}
    </div>
  )
}
