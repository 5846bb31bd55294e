import type { ScanPopup } from '#domain/scans/scan-view.ts'
import type { ScanTexts } from '#locales/catalogue.ts'

type PopupProps = { popup: ScanPopup; words: ScanTexts }

/**
 * Stands open over the lower half of the page until it is closed, without script, and leaves the ways to help in reach.
 * Browsers that do not know method="dialog" ask for the page again with seen=1.
 */
export function ScanPopupDialog({ popup, words }: PopupProps) {
  return (
    <dialog open aria-labelledby="m">
      <form method="dialog">
        <h2 id="m">{titleOf({ popup, words })}</h2>
        <Notes popup={popup} />
        <div className="go">
          <button className="b" type="submit" name="seen" value="1">
            {words.proceed}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** The same on the page of a lost code, where nothing comes before the contact: one line that opens. */
export function ScanPopupLine({ popup, words }: PopupProps) {
  return (
    <details className="line">
      <summary id="m">{titleOf({ popup, words })}</summary>
      <div>
        <Notes popup={popup} />
      </div>
    </details>
  )
}

function titleOf({ popup, words }: PopupProps): string {
  return popup.images.length > 0 ? words.ownerNote : words.serviceNote
}

function Notes({ popup: { images, messages } }: { popup: ScanPopup }) {
  return (
    <>
      {images.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, by keyboard too
        <section className="pics" aria-labelledby="m" tabIndex={0}>
          {images.map(({ id, url, width, height }) => (
            // With its size nothing moves when it comes.
            <img key={id} src={url} alt="" width={width} height={height} loading="lazy" />
          ))}
        </section>
      )}
      {messages.map(({ id, title, content }) => (
        <div key={id} lang="" dir="auto">
          <h3>{title}</h3>
          <p>{content}</p>
        </div>
      ))}
    </>
  )
}
