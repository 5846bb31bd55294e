import { Icon } from '#components/icons/icon.tsx'
import { ThumbImage } from '#components/ui/thumb.tsx'
import type { MessageKind } from '#domain/conversations/conversation.ts'
import { formatBytes } from '#domain/size.ts'
import type { AttachmentView } from '#domain/tickets/ticket-view.ts'

export type SpotView = {
  place: string | null
  /** `18.50740,73.80770`, where a location was shared */
  coordinates: string | null
  /** in metres */
  accuracy: number | null
}

export type BubbleView = {
  id: string
  /** whether the reader's side wrote it */
  isOwn: boolean
  kind: MessageKind
  text: string
  /** the author's name, for the reader */
  by: string
  /** the heading of a shared number */
  sharing?: string
  sent_at: string
  time: string
  photo?: { url: string; thumbnail_url: string }
  spot?: SpotView
  /** where the finder wants to be told, if the owner may know */
  reply_to?: { href: string | undefined; text: string }
  attachment?: AttachmentView | null
}

/** One message. The first one also shows the place and the contact that the finder shared. */
export function Bubble({ view }: { view: BubbleView }) {
  const { id, isOwn, text, photo, spot, reply_to, attachment, by, sent_at, time } = view
  return (
    <article className={isOwn ? 'bubble bubble-out' : 'bubble'} id={`message-${id}`}>
      {view.kind === 'number' ? (
        <SharedNumber number={text} sharing={view.sharing} />
      ) : (
        <Text>{text}</Text>
      )}
      {photo && (
        <a href={photo.url} target="_blank" rel="noreferrer">
          <span className="thumb bubble-pic">
            <ThumbImage src={photo.thumbnail_url} alt="What the finder sent" />
          </span>
          <span className="small">Open the photo in full size</span>
        </a>
      )}
      {attachment && <Attached view={attachment} />}
      {spot && <Spot view={spot} />}
      {reply_to && (
        <p className="small any-break">
          {'Wants to be told: '}
          <a href={reply_to.href} dir="ltr">
            {reply_to.text}
          </a>
        </p>
      )}
      <small>
        <bdi>{by}</bdi>
        {', '}
        <time dateTime={sent_at}>{time}</time>
      </small>
    </article>
  )
}

/** A stranger's words, as they are: in an unknown language, and without links. */
function Text({ children }: { children: string }) {
  if (!children) return null
  return (
    <p className="bubble-text" lang="" dir="auto">
      {children}
    </p>
  )
}

function Attached({ view }: { view: AttachmentView }) {
  const { file_name, file_size, url, thumbnail_url } = view
  return (
    <a className="attach" href={url} target="_blank" rel="noreferrer">
      {thumbnail_url && (
        <span className="thumb bubble-pic">
          <ThumbImage src={thumbnail_url} alt="" />
        </span>
      )}
      <Icon name="clip" />
      <span>
        <bdi>{file_name}</bdi>
        <span className="vh"> (new window)</span>
      </span>
      <span className="small">{formatBytes(file_size)}</span>
    </a>
  )
}

function SharedNumber({ number, sharing }: { number: string; sharing: string | undefined }) {
  return (
    <>
      <b>
        <Icon name="phone" />
        {sharing}
      </b>
      <span dir="ltr" className="num">
        {number}
      </span>
    </>
  )
}

function Spot({ view: { place, coordinates, accuracy } }: { view: SpotView }) {
  return (
    <div className="spot">
      <Icon name="pin" />
      <div>
        {place && (
          <b lang="" dir="auto" className="block">
            {place}
          </b>
        )}
        {coordinates && (
          <code className="block" dir="ltr">
            {coordinates.replace(',', ', ')}
          </code>
        )}
        {accuracy !== null && <small>{`within ${accuracy} metres`}</small>}
      </div>
      {coordinates && <MapLinks coordinates={coordinates} />}
    </div>
  )
}

function MapLinks({ coordinates }: { coordinates: string }) {
  const [latitude = '', longitude = ''] = coordinates.split(',')
  const marker = new URLSearchParams({ mlat: latitude, mlon: longitude })
  return (
    <div className="row gap-2">
      <a className="btn btn-sm" href={`geo:${coordinates}?q=${coordinates}`}>
        Open in maps
      </a>
      {/* No browser of an iPhone opens `geo:`; its maps app takes this address. */}
      <a
        className="btn btn-sm"
        href={`https://maps.apple.com/?${new URLSearchParams({ ll: coordinates, q: coordinates })}`}
        target="_blank"
        rel="noreferrer"
      >
        Apple Maps
        <span className="vh"> (new window)</span>
      </a>
      <a
        className="btn btn-sm"
        href={`https://www.openstreetmap.org/?${marker}#map=17/${latitude}/${longitude}`}
        target="_blank"
        rel="noreferrer"
      >
        OpenStreetMap
        <span className="vh"> (new window)</span>
      </a>
    </div>
  )
}
