import { LanguageMenu } from '#components/frame/language-menu.tsx'
import { Logo } from '#components/frame/logo.tsx'

/** The head of a narrow page in several languages. */
export function NarrowHead(menu: Parameters<typeof LanguageMenu>[0]) {
  return (
    <div className="narrow-head">
      <Logo href="/" />
      <LanguageMenu {...menu} />
    </div>
  )
}
