import { gzipSync } from 'node:zlib'
import type { StatusCode } from 'hono/utils/http-status'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { PageBrandContext } from '#components/brands/brand-context.tsx'
import { AppearanceContext } from '#components/frame/appearance-switch.tsx'
import { type IconName, iconShapes } from '#components/icons/icon-shapes.tsx'
import type { PagePart } from '#domain/page-sheets.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { pageBrandOf } from '#routes/_http/brands/page-brand.ts'
import type { FinderContext } from '#routes/_http/context.ts'
import { appearanceOf } from '#routes/_http/cookies.ts'
import { brandCssHash, pagePolicy } from '#routes/_http/headers.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { Shell } from '#routes/_http/shell.tsx'

export type PageOptions = {
  title: string
  /** the status of a page that shows no form's refusal, for which `perform` sets it */
  status?: StatusCode | undefined
  /** keeps personal and finder pages out of search engines */
  unlisted?: boolean
} & (
  | { sheet: 'app'; part?: PagePart | PagePart[] | undefined; description?: undefined }
  | { sheet: 'public'; part?: undefined; description: string }
)

const ALL_ICONS = Object.keys(iconShapes) as IconName[]
/** An island that is on the page, or that the next tap loads: its scripts are loaded in advance. */
const ISLAND = /(?:<drive-island name|data-soon)="([a-z-]+)"/g
/** A script that only this page needs. */
const SCRIPT = /data-script="([a-z]+)"/g
/**
 * Markup that the boot script enhances; a page without any needs no script. Who has just signed in is told so on the
 * page that the dashboard leads to (`data-told`).
 */
const LISTENED_TO = /<dialog|<details class="menu|data-(?:enhance|dialog|action|script|told)\b/
const ICON = /#i-([a-z0-9-]+)"/g

/**
 * Renders a whole page, with only the scripts and icons that it needs. A page with scripts has all
 * icons, because content swapped in later may show any of them.
 */
export function renderPage(c: FinderContext, options: PageOptions, body: ReactElement): Response {
  return answerHtml(c, pageHtml(c, options, body), options.status)
}

export function pageHtml(c: FinderContext, options: PageOptions, body: ReactElement): string {
  const { assets } = c.var.deps
  const appearance = appearanceOf(c)
  const pageBrand = pageBrandOf(c)
  const html = renderToString(
    <PageBrandContext value={pageBrand}>
      <AppearanceContext value={appearance}>{body}</AppearanceContext>
    </PageBrandContext>,
  )
  const scriptsOf = (pattern: RegExp) => [
    ...new Set(matchesOf(pattern, html).flatMap((name) => assets.scripts[name] ?? [])),
  ]
  const isLive = matchesOf(ISLAND, html).length > 0 || LISTENED_TO.test(html)
  const icons = isLive ? ALL_ICONS : (matchesOf(ICON, html) as IconName[])
  const { title, description, sheet, part, unlisted = true } = options
  const scripts = isLive
    ? { now: [assets.boot, ...scriptsOf(SCRIPT)], soon: scriptsOf(ISLAND) }
    : undefined
  const shell = {
    title,
    description,
    sheet,
    parts: part ? [part].flat() : [],
    appearance,
    unlisted,
    assets,
    scripts,
    icons,
    words: wordsOf(c),
    account: sheet === 'app' ? c.var.account?.id : undefined,
    body: html,
  }
  if (sheet === 'public' && (pageBrand.brand || c.var.domainOwner)) {
    const needs = {
      styleHash: pageBrand.brand && brandCssHash(pageBrand.brand),
      // A newly registered user signs in there.
      leadsTo: c.var.domainOwner && c.var.deps.config.publicUrl,
    }
    c.header('Content-Security-Policy', pagePolicy(needs))
  }
  return documentHtml(
    <PageBrandContext value={pageBrand}>
      <Shell {...shell} />
    </PageBrandContext>,
  )
}

/** Renders a document that has its own head. */
export function renderDocument(
  c: FinderContext,
  document: ReactElement,
  status?: StatusCode,
): Response {
  const branded = <PageBrandContext value={pageBrandOf(c)}>{document}</PageBrandContext>
  return answerHtml(c, documentHtml(branded), status)
}

export function documentHtml(document: ReactElement): string {
  return `<!doctype html>${renderToString(document)}`
}

/** A quarter less work than the default, for one percent more bytes. */
const GZIP_LEVEL = 4
/** A smaller page fits one packet anyway. */
const WORTH_COMPRESSING = 1200

/** Returns the headers of a page in the language of `words`, or of one in English alone. */
export function htmlHeaders(words: Catalogue | undefined): Record<string, string> {
  const vary = 'Accept-Encoding, Cookie'
  return {
    'Content-Type': 'text/html; charset=utf-8',
    ...(words && { 'Content-Language': words.lang }),
    Vary: words ? `${vary}, Accept-Language` : vary,
  }
}

export function acceptsGzip(c: FinderContext): boolean {
  return /\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')
}

export function answerHtml(c: FinderContext, html: string, status?: StatusCode): Response {
  if (status) c.status(status)
  for (const [name, value] of Object.entries(htmlHeaders(c.var.words))) c.header(name, value)
  if (!acceptsGzip(c) || html.length < WORTH_COMPRESSING) return c.body(html)
  c.header('Content-Encoding', 'gzip')
  return c.body(new Uint8Array(gzipSync(html, { level: GZIP_LEVEL })))
}

function matchesOf(pattern: RegExp, html: string): string[] {
  return [...new Set([...html.matchAll(pattern)].map((match) => match[1] as string))]
}
