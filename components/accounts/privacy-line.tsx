import type { Catalogue } from '#locales/catalogue.ts'

/** Links forms of people without an account to the privacy page. */
export function PrivacyLine({ words }: { words: Catalogue['holder'] }) {
  return (
    <p className="small">
      <a href="/privacy" target="_blank" rel="noreferrer">
        {words.privacy}
      </a>
    </p>
  )
}
