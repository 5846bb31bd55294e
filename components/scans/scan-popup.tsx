import { ScanLost } from '#components/scans/scan-lost.tsx'
import type { Lost } from '#domain/codes/lost.ts'
import type { ScanPopup } from '#domain/scans/scan-view.ts'
import type { ScanTexts } from '#locales/catalogue.ts'

/**
 * Stands open over the page until it is closed, without script. Browsers that do not know
 * method="dialog" ask for the page again with seen=1.
 */
export function ScanPopupDialog(dialog: { popup: ScanPopup; lost: Lost | null; words: ScanTexts }) {
  const { popup, lost, words } = dialog
  return (
    <dialog open aria-labelledby="m">
      {lost && <ScanLost lost={lost} words={words} />}
      <form method="dialog">
        <h2 id="m">{popup.images.length > 0 ? words.ownerNote : words.serviceNote}</h2>
        {popup.images.map(({ id, url, width, height }) => (
          <p key={id}>
            {/* with its size nothing moves when it comes */}
            <img src={url} alt="" width={width} height={height} loading="lazy" />
          </p>
        ))}
        {popup.messages.map(({ id, title, content }) => (
          <div key={id} className="sheet" lang="" dir="auto">
            <h3>{title}</h3>
            <p>{content}</p>
          </div>
        ))}
        <div className="go">
          <button className="b call" type="submit" name="seen" value="1">
            {words.proceed}
          </button>
        </div>
      </form>
    </dialog>
  )
}
