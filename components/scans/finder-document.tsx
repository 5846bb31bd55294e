import type { ReactNode } from 'react'
import { BrandFooter, brandCss, usePageBrand } from '#components/brands/brand-context.tsx'
import { NameAndMark, productName } from '#components/brands/brand-name.tsx'
import type { Catalogue } from '#locales/catalogue.ts'
import { LANGUAGES } from '#locales/languages.ts'

type FinderDocumentProps = {
  words: Catalogue
  /** inlined as they are, so that their hashes can be allowed */
  css: string[]
  title: string
  description: string
  themeColor?: string
  /** says whose service it is neither in its title nor at its top */
  isNameless?: boolean
  /** what else belongs into the head */
  head?: ReactNode
  children: ReactNode
}

/** A page that finders see, with its head. */
export function FinderDocument(page: FinderDocumentProps) {
  const { words, css, title, description, isNameless, head, children } = page
  const { brand } = usePageBrand()
  const { themeColor = brand?.ground ?? '#ffc61a' } = page
  const { lang } = words
  const { dir } = LANGUAGES[lang]
  return (
    <html lang={lang} dir={dir === 'rtl' ? dir : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <title>{isNameless ? title : `${title} · ${productName(brand)}`}</title>
        <meta name="description" content={description} />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content={themeColor} />
        {/* an icon that is here already, or the browser asks for one */}
        <link rel="icon" href="data:," />
        {head}
        {css.map((sheet) => (
          <style key={sheet}>{sheet}</style>
        ))}
        {brand && <style>{brandCss(brand)}</style>}
      </head>
      <body className={brand && 'branded'}>
        {children}
        <BrandFooter />
      </body>
    </html>
  )
}

type FinderHeaderProps = { isNameless?: boolean; children: ReactNode }

export function FinderHeader({ isNameless = false, children }: FinderHeaderProps) {
  const { brand } = usePageBrand()
  return (
    <header>
      <span className="logo">{!isNameless && <NameAndMark brand={brand} />}</span>
      {children}
    </header>
  )
}
