import { LANGUAGES, type Lang } from '#locales/languages.ts'

/** The title, the text and the button of the page in each language. The build inserts them. */
declare const OFFLINE_TEXTS: Record<Lang, readonly [string, string, string]>

const STYLE = `*{box-sizing:border-box;margin:0}
body{display:grid;place-content:center;min-height:100vh;padding:24px;background:#ffc61a;color:#1a1710;
font:17px/1.45 system-ui,sans-serif;text-align:center}
main{max-width:24rem}h1{margin-bottom:8px;font-size:26px;line-height:1.35}
a{display:block;margin-top:24px;padding:16px;border-radius:16px;background:#1a1710;color:#fff;font-size:20px;
font-weight:800;text-decoration:none}
@media(prefers-color-scheme:dark){body{background:#e0a900}}`

/** Makes the page that is shown without a network, in the first language of the browser that there is. */
export function offlinePage(languages: readonly string[]): Response {
  const known = languages.map((each) => each.split('-')[0] as Lang)
  const lang = known.find((each) => each in OFFLINE_TEXTS) ?? 'en'
  const [title, text, again] = OFFLINE_TEXTS[lang]
  const html = `<!doctype html><html lang="${lang}" dir="${LANGUAGES[lang].dir}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${STYLE}</style><main><h1>${title}</h1><p>${text}</p><a href="">${again}</a></main>`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  }
  return new Response(html, { status: 503, headers })
}
