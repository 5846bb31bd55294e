import { ScanIcon } from '#components/scans/scan-icon.tsx'
import type { Catalogue } from '#locales/catalogue.ts'
import { LANGS, LANGUAGES } from '#locales/languages.ts'

type LanguageMenuProps = {
  words: Pick<Catalogue, 'lang' | 'page'>
  /** the part of the query that the links keep, such as `sent=1&` */
  query?: string
  /** the form whose values are kept: the languages are buttons of it */
  form?: string
  isOpen?: boolean
}

/** The language of the page, and the others by their own names. */
export function LanguageMenu({ words, query = '', form, isOpen }: LanguageMenuProps) {
  const { name } = LANGUAGES[words.lang]
  return (
    <>
      {form && <DefaultButton form={form} />}
      <details className="langs" open={isOpen}>
        <summary className="lang" aria-label={`${words.page.language}: ${name}`}>
          <ScanIcon name="globe" />
          {name}
          <ScanIcon name="down" />
        </summary>
        <ul>
          {LANGS.map((lang) => {
            const isCurrent = lang === words.lang || undefined
            const choice = { lang, 'aria-current': isCurrent, children: LANGUAGES[lang].name }
            return (
              <li key={lang}>
                {form ? (
                  <button
                    type="submit"
                    form={form}
                    name="lang"
                    value={lang}
                    formNoValidate
                    {...choice}
                  />
                ) : (
                  <a href={`?${query}lang=${lang}`} {...choice} />
                )}
              </li>
            )
          })}
        </ul>
      </details>
    </>
  )
}

/** Asks for the page with its menu of languages, whose names are many bytes. */
export function LanguageLink({ words, query = '' }: Pick<LanguageMenuProps, 'words' | 'query'>) {
  return (
    <a className="lang" href={`?${query}lang=`}>
      <ScanIcon name="globe" />
      {LANGUAGES[words.lang].name}
    </a>
  )
}

/** The button that Enter presses. It is the first of the form, before the languages. */
function DefaultButton({ form }: { form: string }) {
  return <button className="vh" form={form} tabIndex={-1} aria-hidden="true" type="submit" />
}
