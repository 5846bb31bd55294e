import { BrandFooter, brandCss, usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import type { IconName } from '#components/icons/icon-shapes.tsx'
import { IconSprite } from '#components/icons/icon-sprite.tsx'
import type { Appearance } from '#domain/appearance.ts'
import type { Brand } from '#domain/brands/brand.ts'
import type { PagePart } from '#domain/page-sheets.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { LANGUAGES } from '#locales/languages.ts'
import type { Assets } from '#routes/_http/assets.ts'

export type ShellProps = {
  title: string
  /** shown in search results and link previews of a public page */
  description: string | undefined
  sheet: 'app' | 'public'
  /** the styles that only some signed-in pages have */
  parts: PagePart[]
  appearance: Appearance
  unlisted: boolean
  assets: Assets
  /** undefined for a page without scripts */
  scripts: { now: string[]; soon: string[] } | undefined
  icons: IconName[]
  words: Catalogue
  /** the id of the account, under which the browser keeps half-typed text */
  account: string | undefined
  body: string
}

export const THEME_COLOR = { app: '#1a1710', public: '#ffc61a' } as const

/** The browser paints the empty page by this until the style sheet has loaded. */
const COLOR_SCHEME: Record<Appearance, string> = {
  auto: 'light dark',
  light: 'light',
  dark: 'dark',
}

/** Public pages have no dark mode. */
const APP_SHEETS = { auto: 'app-auto', light: 'app', dark: 'app-dark' } as const

export function Shell(props: ShellProps) {
  const { title, description, sheet, parts, appearance, unlisted } = props
  const { assets, scripts, icons, body } = props
  const { lang } = props.words
  const { brand } = usePageBrand()
  const look = sheet === 'app' ? appearance : 'light'
  // Signed-in pages show only the name.
  const publicBrand = sheet === 'public' ? brand : undefined
  return (
    <html lang={lang} dir={LANGUAGES[lang].dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${productName(brand)}`}</title>
        {description && <meta name="description" content={description} />}
        {unlisted && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content={COLOR_SCHEME[look]} />
        <meta name="theme-color" content={publicBrand?.ground ?? THEME_COLOR[sheet]} />
        <link rel="icon" {...iconOf(brand)} />
        {sheet !== 'public' && !brand && <link rel="manifest" href="/manifest.webmanifest" />}
        <link rel="stylesheet" href={assets.css[sheet === 'app' ? APP_SHEETS[look] : sheet]} />
        {parts.map((part) => (
          <link key={part} rel="stylesheet" href={assets.css[`part-${part}`]} />
        ))}
        {publicBrand && <style>{brandCss(publicBrand)}</style>}
        {scripts?.now.map((script) => (
          <script key={script} type="module" src={script} />
        ))}
        {/* No prefetch, which Firefox measures by default-src. */}
        {scripts?.soon.map((script) => (
          <link key={script} rel="modulepreload" href={script} fetchPriority="low" />
        ))}
      </head>
      <body className={publicBrand && 'branded'} data-account={props.account}>
        <IconSprite names={icons} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output */}
        <div className="page" dangerouslySetInnerHTML={{ __html: body }} />
        {publicBrand && <BrandFooter />}
      </body>
    </html>
  )
}

/** An empty one, or the browser asks for the product's by itself. */
function iconOf(brand: Brand | undefined) {
  if (!brand) return { href: '/assets/icon.svg', type: 'image/svg+xml' }
  return { href: brand.logo ?? 'data:,' }
}
