import type { Catalogue } from '#domain/languages/en.ts'

/** Where forms of people without an account say what becomes of what they type. */
export function PrivacyLine({ words }: { words: Catalogue['holder'] }) {
  return (
    <p className="small">
      <a href="/privacy" target="_blank" rel="noreferrer">
        {words.privacy}
      </a>
    </p>
  )
}
