/** The languages of the pages for people without an account, in the order of the menu. */
export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr' },
  hi: { name: 'हिन्दी', dir: 'ltr' },
  bn: { name: 'বাংলা', dir: 'ltr' },
  te: { name: 'తెలుగు', dir: 'ltr' },
  mr: { name: 'मराठी', dir: 'ltr' },
  ta: { name: 'தமிழ்', dir: 'ltr' },
  gu: { name: 'ગુજરાતી', dir: 'ltr' },
  kn: { name: 'ಕನ್ನಡ', dir: 'ltr' },
  ml: { name: 'മലയാളം', dir: 'ltr' },
  pa: { name: 'ਪੰਜਾਬੀ', dir: 'ltr' },
  ur: { name: 'اردو', dir: 'rtl' },
} as const satisfies Record<string, { name: string; dir: 'ltr' | 'rtl' }>

export type Lang = keyof typeof LANGUAGES
export const LANGS = Object.keys(LANGUAGES) as Lang[]

/**
 * Returns the region of a browser by Accept-Language: the first that it names, or else the most likely one of its
 * first language. Undefined for a browser without a language.
 */
export function preferredRegion(acceptLanguage = ''): string | undefined {
  const [, named] = /-([a-z]{2})(?=[-,;\s]|$)/i.exec(acceptLanguage) ?? []
  if (named) return named.toUpperCase()
  const [language] = /^[a-z]{2,3}\b/i.exec(acceptLanguage.trim()) ?? []
  return language && new Intl.Locale(language).maximize().region
}

/** Returns the comma between the parts of a line, as in `You, 10:42 am`: Urdu has its own. */
export function commaIn(lang: Lang): string {
  return lang === 'ur' ? '، ' : ', '
}

/** Returns the language of a code, if there are pages in it. */
export function toLang(code: string | undefined): Lang | undefined {
  return LANGS.find((lang) => lang === code)
}

/**
 * Returns the most wanted of the languages by Accept-Language (RFC 9110, section 12.5.4), the first
 * of equals; English when it names none of them.
 */
export function preferredLang(acceptLanguage = ''): Lang {
  let preferred: Lang = 'en'
  let most = 0
  for (const range of acceptLanguage.toLowerCase().split(',')) {
    // A pattern with spaces around the semicolon would take seconds for a header of many spaces.
    const [tag = '', weight = 'q=1'] = range.split(';').map((part) => part.trim())
    const lang = tag === '*' ? 'en' : toLang(tag.split('-')[0])
    const wanted = weight.startsWith('q=') ? Number(weight.slice(2)) : 0
    if (lang && wanted > most) {
      preferred = lang
      most = wanted
    }
  }
  return preferred
}
