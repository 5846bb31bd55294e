import { Icon } from '#components/icons/icon.tsx'
import { ThumbImage } from '#components/ui/thumb.tsx'
import type { MessageKind, Side } from '#domain/conversations/conversation.ts'

export type SpotView = {
  place: string | null
  /** `18.50740,73.80770`, where a location was shared */
  coordinates: string | null
  /** in metres */
  accuracy: number | null
}

export type BubbleView = {
  id: string
  from: Side
  kind: MessageKind
  text: string
  /** who wrote it, as the owner reads it */
  by: string
  sent_at: string
  time: string
  photo?: { url: string; thumbnail_url: string }
  spot?: SpotView
  /** where the finder wants to be told, if the owner may know */
  reply_to?: { href: string | undefined; text: string }
}

/** One message. What the finder shared stands in the first. */
export function Bubble({ view }: { view: BubbleView }) {
  const { id, from, text, photo, spot, reply_to, by, sent_at, time } = view
  return (
    <article className={from === 'owner' ? 'bubble bubble-out' : 'bubble'} id={`message-${id}`}>
      {view.kind === 'number' ? <SharedNumber number={text} /> : <Text>{text}</Text>}
      {photo && (
        <a href={photo.url} target="_blank" rel="noreferrer">
          <span className="thumb bubble-pic">
            <ThumbImage src={photo.thumbnail_url} alt="What the finder sent" />
          </span>
          <span className="small">Open the photo in full size</span>
        </a>
      )}
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

function SharedNumber({ number }: { number: string }) {
  return (
    <>
      <b>
        <Icon name="phone" />
        You shared your number
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
