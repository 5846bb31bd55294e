import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Badge, LockedBadge, VisibilityBadge } from '#components/ui/badge.tsx'
import { ThumbIcon, ThumbImage } from '#components/ui/thumb.tsx'
import { tabAction } from '#domain/dashboard.ts'

export type GalleryCardView = {
  id: string
  /** type and side, as a screen reader reads them */
  name: string
  /** the same with its code, where a control is heard by itself */
  about: string
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
  const { about, thumbnail_url, file_url, show_href } = view
  if (!thumbnail_url) {
    return (
      <a className="thumb" href={file_url} target="_blank" rel="noopener">
        <ThumbIcon name="doc">
          PDF<span className="vh">{`: open ${about} in a new tab`}</span>
        </ThumbIcon>
      </a>
    )
  }
  return (
    <a className="thumb" href={show_href} data-dialog="show" data-gone="Document not found">
      <ThumbImage src={thumbnail_url} alt={`Open ${about}`} />
    </a>
  )
}

/** Each way makes a link of its own; an e-mail needs an address first. */
function ShareTools({ view }: { view: GalleryCardView }) {
  const { id, about, share_href } = view
  return (
    <form
      className="card-tools"
      method="post"
      action={tabAction('gallery', `/${id}/share`)}
      data-enhance
      data-failed="Failed to share document"
    >
      <ShareButton view={view} method="whatsapp" icon="whatsapp" label="WhatsApp" />
      <a
        className="btn btn-quiet btn-sm btn-icon"
        href={share_href}
        title="Email"
        data-dialog="share"
        data-gone="Document not found"
      >
        <Icon name="mail" />
        <span className="vh">{`Email: ${about}`}</span>
      </a>
      <ShareButton view={view} method="download" icon="download" label="Download" />
    </form>
  )
}

type ShareButtonProps = {
  view: GalleryCardView
  method: 'whatsapp' | 'download'
  icon: IconName
  label: string
}

function ShareButton({ view: { id, about }, method, icon, label }: ShareButtonProps) {
  return (
    <button
      className="btn btn-quiet btn-sm btn-icon"
      id={`${method}-${id}`}
      type="submit"
      name="share_method"
      value={method}
      title={label}
    >
      <Icon name={icon} />
      <span className="vh">{`${label}: ${about}`}</span>
    </button>
  )
}
