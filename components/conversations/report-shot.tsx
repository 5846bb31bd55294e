import { ThumbImage } from '#components/ui/thumb.tsx'

export type ShotView = {
  title: string
  /** popup images; `url` is null for one that was deleted since */
  images: { id: string; url: string | null }[]
  /** what people wrote; `by` says who and when */
  words: { text: string; by?: string }[]
  /** what else was there */
  notes: string[]
}

/** The page as it was when it was reported, as text. */
export function Shot({ view: { title, images, words, notes } }: { view: ShotView }) {
  return (
    <div className="shot">
      <b>{title}</b>
      {images.map(({ id, url }) =>
        url ? (
          <a key={id} href={url} target="_blank" rel="noreferrer" className="thumb thumb-whole">
            <ThumbImage src={url} alt="Popup image of the page (new window)" />
          </a>
        ) : (
          <span key={id} className="soft">
            The popup image was deleted since.
          </span>
        ),
      )}
      {words.map(({ text, by }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the stored text does not change
        <span key={n}>
          <span className="reported" lang="" dir="auto">{`“${text}”`}</span>
          {by && <span className="soft block">{by}</span>}
        </span>
      ))}
      {notes.map((note) => (
        <span key={note} className="soft" dir="auto">
          {note}
        </span>
      ))}
    </div>
  )
}
