import { ScanPage, type ScanState } from '#components/scans/scan-page.tsx'
import { type ScanLang, type ScanWords, scanWords } from '#components/scans/scan-words.ts'

const SECONDS_TO_DASHBOARD = 2

/** The scan page with its head. `css` is inlined as it is, so that its hash can be allowed. */
export function ScanDocument({
  lang,
  css,
  scan,
}: {
  lang: ScanLang
  css: string
  scan: ScanState
}) {
  const words = scanWords[lang]
  const title = titleOf(scan, words)
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <title>{`${title} · DriveQR`}</title>
        <meta name="description" content={scan.state === 'contact' ? words.found : title} />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content="#ffc61a" />
        {/* an icon that is here already, or the browser asks for one */}
        <link rel="icon" href="data:," />
        {scan.state === 'owner' && (
          <meta httpEquiv="refresh" content={`${SECONDS_TO_DASHBOARD}; url=/dashboard`} />
        )}
        <style>{css}</style>
      </head>
      <body>
        <ScanPage lang={lang} scan={scan} />
      </body>
    </html>
  )
}

function titleOf(scan: ScanState, words: ScanWords): string {
  if (scan.state === 'owner') return words.welcome
  if (scan.state === 'unregistered') return words.unregistered
  return scan.state === 'not_found' ? words.notFound : words.title
}
