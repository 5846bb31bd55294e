import type { IconName } from '#components/icon-shapes.tsx'
import { IconSprite } from '#components/icon-sprite.tsx'
import type { Assets } from '#routes/_assets.ts'

export type Sheet = 'app' | 'public'

export type ShellProps = {
  title: string
  sheet: Sheet
  unlisted: boolean
  assets: Assets
  scripts: string[]
  icons: IconName[]
  body: string
}

const THEME_COLOR: Record<Sheet, string> = { app: '#1a1710', public: '#ffc61a' }

export function Shell({ title, sheet, unlisted, assets, scripts, icons, body }: ShellProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · DriveQR`}</title>
        {unlisted && <meta name="robots" content="noindex" />}
        <meta name="theme-color" content={THEME_COLOR[sheet]} />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={assets.css[sheet]} />
        {sheet === 'app' && (
          <link rel="stylesheet" href={assets.css.dark} media="(prefers-color-scheme: dark)" />
        )}
        {scripts.length > 0 && <script type="module" src={assets.boot} />}
        {scripts.map((script) => (
          <link key={script} rel="modulepreload" href={script} />
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
