import type { IconName } from '#components/icons/icon-shapes.tsx'
import { IconSprite } from '#components/icons/icon-sprite.tsx'
import { type Appearance, type Sheet, sheetFile } from '#domain/appearance.ts'
import type { Assets } from '#server/assets.ts'

export type ShellProps = {
  title: string
  /** shown in search results and link previews of a public page */
  description: string | undefined
  sheet: Sheet
  appearance: Appearance
  unlisted: boolean
  assets: Assets
  /** undefined for a page without scripts */
  scripts: { now: string[]; prefetch: string[] } | undefined
  icons: IconName[]
  body: string
}

export const THEME_COLOR: Record<Sheet, string> = {
  app: '#1a1710',
  settings: '#1a1710',
  public: '#ffc61a',
}

/** The browser paints the empty page by this until the style sheet has loaded. */
const COLOR_SCHEME: Record<Appearance, string> = {
  auto: 'light dark',
  light: 'light',
  dark: 'dark',
}

export function Shell(props: ShellProps) {
  const { title, description, sheet, appearance, unlisted, assets, scripts, icons, body } = props
  const look = sheet === 'public' ? 'light' : appearance
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · DriveQR`}</title>
        {description && <meta name="description" content={description} />}
        {unlisted && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content={COLOR_SCHEME[look]} />
        <meta name="theme-color" content={THEME_COLOR[sheet]} />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        {sheet !== 'public' && <link rel="manifest" href="/manifest.webmanifest" />}
        <link rel="stylesheet" href={assets.css[sheetFile(sheet, look)]} />
        {scripts?.now.map((script) => (
          <script key={script} type="module" src={script} />
        ))}
        {scripts?.prefetch.map((script) => (
          <link key={script} rel="prefetch" href={script} />
        ))}
      </head>
      <body>
        <IconSprite names={icons} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output */}
        <div className="page" dangerouslySetInnerHTML={{ __html: body }} />
        <div id="toasts" className="toasts" role="status" />
      </body>
    </html>
  )
}
