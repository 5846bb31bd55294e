import { type Brand, inName, PRODUCT } from '#domain/brands/brand.ts'
import { OWN_YELLOW } from '#domain/brands/colour.ts'
import { escapeHtml, type MailText } from '#domain/mail.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import { type Catalogue, en } from '#locales/catalogue.ts'
import { LANGUAGES, type Lang } from '#locales/languages.ts'
import { format } from '#locales/message.ts'

/** A part of a mail: a paragraph, a quoted text, a code to type, or the mail's one link. */
type Part =
  | string
  | { quote: string }
  | { code: string; label: string }
  | { url: string; label: string }

export type Letter = {
  /** the language and how the mail says where it is from; English without */
  words?: Pick<Catalogue, 'lang' | 'mails'>
  subject: string
  /** the host of the service */
  site: string
  /** why this address gets the mail */
  reason: string
  parts: Part[]
  /** the brand in place of the product's name and yellow */
  brand?: MailBrand | undefined
}

/** The parts of a brand that mails show; the logo is a PNG. */
export type MailBrand = Pick<Brand, 'name' | 'ground' | 'text' | 'isAlone'> & {
  logo: Buffer | undefined
}

/** A mail, and a sentence with its subject for channels that show less. */
export type WrittenLetter = MailText & { reason: string }

const WIDTH = 78

/**
 * Writes a mail as plain text and HTML. Parts may contain user input: it is escaped, put on one
 * line and stripped of hidden characters.
 */
export function writeLetter(letter: Letter): WrittenLetter {
  const { words = en, subject, site, reason, parts, brand } = letter
  const from = inName(format(words.mails.from, { site }), brand?.name)
  const blocks = [`${from}\n${wrap(reason)}`, ...parts.map(toText)]
  return {
    subject: oneLine(subject),
    text: `${blocks.join('\n\n')}\n`,
    html: page(words.lang, subject, [reason, ...parts].map(toHtml).join('\n'), { from, brand }),
    reason: oneLine(reason),
    ...(brand?.name && { sender: brand.name }),
  }
}

function toText(part: Part): string {
  if (typeof part === 'string') return wrap(part)
  if ('quote' in part) {
    const lines = linesOf(part.quote).flatMap((line) => wrap(line).split('\n'))
    return lines.map((line) => `> ${line}`).join('\n')
  }
  return 'code' in part ? `${part.label}: ${part.code}` : `${part.label}:\n${part.url}`
}

function toHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(oneLine(part))}</p>`
  if ('quote' in part) {
    return `<blockquote>${linesOf(part.quote).map(escapeHtml).join('<br>\n')}</blockquote>`
  }
  const label = escapeHtml(part.label)
  if ('code' in part) return `<p>${label}:<br><b class="code">${escapeHtml(part.code)}</b></p>`
  return `<p><a class="action" href="${escapeHtml(part.url)}">${label}</a></p>`
}

/**
 * Nothing is loaded from a server, so opening a mail cannot be tracked. Text and background have
 * the mail program's own colours, in dark mode too.
 */
const style = ({
  ground,
  text,
}: Pick<
  MailBrand,
  'ground' | 'text'
>) => `:root { color-scheme: light dark; supported-color-schemes: light dark }
body { font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; margin: 0 }
.mail { max-width: 34em; margin: 0 auto; padding: 24px 20px; overflow-wrap: anywhere }
.product { font-size: 20px; font-weight: 700; margin: 0 0 24px }
.code { font: 700 28px/1.6 ui-monospace, Consolas, monospace; letter-spacing: 4px }
.action { display: inline-block; padding: 12px 20px; border-radius: 10px; font-weight: 700;
  background-color: ${ground}; color: ${text}; text-decoration: none }
.from { font-size: 14px; margin-top: 32px; border-top: 1px solid #8888; padding-top: 12px }`

type Frame = { from: string; brand: MailBrand | undefined }

const PLAIN = { ground: OWN_YELLOW, text: '#1a1710' } as const

function page(lang: Lang, subject: string, body: string, { from, brand }: Frame): string {
  return `<!doctype html>
<html lang="${lang}" dir="${LANGUAGES[lang].dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(oneLine(subject))}</title>
<style>
${style({ ...PLAIN, ...brand } as MailBrand)}
</style>
</head>
<body>
<div class="mail">
<p class="product">${headOf(brand)}</p>
${body}
<p class="from">${escapeHtml(from)}</p>
</div>
</body>
</html>
`
}

/** The mailer makes an attachment of the logo, which mail programs show without asking a server. */
function headOf(brand: MailBrand | undefined): string {
  const name = escapeHtml(oneLine(brand?.name ?? PRODUCT))
  if (!brand?.logo) return name
  const logo = `data:image/png;base64,${brand.logo.toString('base64')}`
  return `<img class="logo" src="${logo}" alt="" height="48"><br>${name}`
}

function oneLine(text: string): string {
  return (cleanLine(text) ?? '').replace(/\s+/g, ' ')
}

function linesOf(text: string): string[] {
  return (cleanText(text) ?? '').split('\n').map(oneLine)
}

/** Breaks lines short enough for all mail programs. A longer word, such as a URL, stays whole. */
function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of oneLine(text).split(' ')) {
    if (line && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line].join('\n')
}
