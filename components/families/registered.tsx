import { Said } from '#components/ui/outcome.tsx'
import type { Catalogue } from '#locales/catalogue.ts'
import { formatRefusal } from '#locales/refusal.ts'

/** The next steps with a registered child code. */
export function Registered({ words }: { words: Catalogue }) {
  return (
    <>
      <h1>{formatRefusal(words, 'conflict.registered')}</h1>
      <Said />
      <p>{words.child.registeredText}</p>
      <a className="btn btn-main btn-block" href="/login?mode=password">
        {words.page.login}
      </a>
    </>
  )
}
