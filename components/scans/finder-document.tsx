import type { ReactNode } from 'react'
import { Mark } from '#components/frame/logo.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import type { ScanLang } from '#components/scans/scan-words.ts'

type FinderDocumentProps = {
  lang: ScanLang
  /** inlined as they are, so that their hashes can be allowed */
  css: string[]
  title: string
  description: string
  themeColor?: string
  /** what else belongs into the head */
  head?: ReactNode
  children: ReactNode
}

/** A page that finders see, with its head. */
export function FinderDocument(page: FinderDocumentProps) {
  const { lang, css, title, description, themeColor = '#ffc61a', head, children } = page
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <title>{`${title} · DriveQR`}</title>
        <meta name="description" content={description} />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content={themeColor} />
        {/* an icon that is here already, or the browser asks for one */}
        <link rel="icon" href="data:," />
        {head}
        {css.map((sheet) => (
          <style key={sheet}>{sheet}</style>
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}

type FinderHeaderProps = {
  lang: ScanLang
  /** what stays in the query of the link to the other language */
  query?: string
  /** the form whose values are kept: the other language is a button of it */
  form?: string
}

export function FinderHeader({ lang, query = '', form }: FinderHeaderProps) {
  const other = lang === 'en' ? 'hi' : 'en'
  const name = (
    <>
      <ScanIcon name="globe" />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: words of our own */}
      <span dangerouslySetInnerHTML={{ __html: other === 'hi' ? HINDI : 'English' }} />
    </>
  )
  return (
    <header>
      <span className="logo">
        <Mark />
        DriveQR
      </span>
      {form ? (
        <button
          className="lang"
          type="submit"
          form={form}
          name="lang"
          value={other}
          lang={other}
          formNoValidate
        >
          {name}
        </button>
      ) : (
        <a className="lang" href={`?${query}lang=${other}`} lang={other} hrefLang={other}>
          {name}
        </a>
      )}
    </header>
  )
}

/** As references: one character beyond Latin-1 makes the whole English page twice as dear to send. */
const HINDI = '&#2361;&#2367;&#2344;&#2381;&#2342;&#2368;'
