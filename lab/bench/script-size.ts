import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fleet, openFleet } from './dashboard.ts'
import type { Row } from './support/report.ts'

const DIST = 'dist'
/** With React, which is 68 of them. */
const ISLAND_KB = 85
/** Without React. */
const PLAIN_KB = 12
const DIALOGS = ['create', 'edit', 'show', 'delete', 'bulk']

/** The gzipped script that a browser loads, for each kind of page and each island. */
export async function benchScriptSize(fleet: Fleet): Promise<Row[]> {
  const { open, stop } = await openFleet(fleet)
  const most = async (paths: string[], signedIn: boolean) => {
    const pages = await Promise.all(
      paths.map(async (path) => sizeOf(path, await open(path, signedIn))),
    )
    return pages.reduce((largest, page) => (page.kb > largest.kb ? page : largest))
  }
  try {
    const front = await open('/dashboard')
    const id = /\/scan\/(\w+)\?preview/.exec(front)?.[1]
    const tabs = [...front.matchAll(/href="(\/dashboard\?tab=[a-z-]+)"/g)].map(
      ([, tab = '']) => tab,
    )
    const dialogs = DIALOGS.map((dialog) => `/dashboard?${dialog}=${id}`)
    return [
      toRow(
        'Script, signed-in page with the most',
        await most([...tabs, ...dialogs], true),
        ISLAND_KB,
      ),
      toRow('Script, dashboard without a dialog', await most(['/dashboard'], true), PLAIN_KB),
      toRow('Script, login', await most(['/login'], false), PLAIN_KB),
      toRow('Script, login form', await most(['/login?mode=password'], false), PLAIN_KB),
      toRow('Script, landing', await most(['/'], false), 0),
      toRow('Script, scan page', await most([`/scan/${id}`], false), 0),
      toRow('Script, police page', await most([`/police/${id}`], false), 0),
      ...islandRows(),
    ]
  } finally {
    await stop()
  }
}

type Size = { of: string; kb: number }

function toRow(what: string, { of, kb }: Size, atMost: number): Row {
  const measured = `${kb.toFixed(1)} KB`
  return { what: `${what}, gzip, KB`, measured, limit: of, ratio: kb, budget: { atMost } }
}

/** The scripts of a page with an island, including React. */
function islandRows(): Row[] {
  const { boot, scripts } = readManifest()
  const islands = Object.entries(scripts).filter(([, files]) => files.length > 1)
  return islands.map(([name, [own = '', ...react]]) => ({
    what: `Script, page with the island ${name}, gzip, KB`,
    measured: `${kilobytes([own]).toFixed(1)} KB its own`,
    limit: '–',
    ratio: kilobytes([boot, own, ...react]),
    budget: { atMost: ISLAND_KB },
  }))
}

function readManifest(): { boot: string; scripts: Record<string, string[]> } {
  return JSON.parse(readFileSync(join(DIST, 'assets/manifest.json'), 'utf8'))
}

const OWN_SCRIPT = /src="(\/assets\/[^"]+\.js)"/g
/** Includes prefetched scripts, which a page with an island needs itself. */
const ALL_SCRIPTS = /(?:src|rel="prefetch" href)="(\/assets\/[^"]+\.js)"/g

function sizeOf(path: string, html: string): Size {
  const isIsland = html.includes('<drive-island')
  const named = [...html.matchAll(isIsland ? ALL_SCRIPTS : OWN_SCRIPT)].map(([, url = '']) => url)
  if (html.includes('"/dashboard?tab=messages"')) named.push(findLive())
  return { of: path, kb: kilobytes(withImports(named)) }
}

/** What the boot script loads on the dashboard to show what arrives. */
function findLive(): string {
  const live = readdirSync(join(DIST, 'assets')).find((file) => /^_live-\w+\.js$/.test(file))
  if (!live) throw new Error('The script of arriving messages was not built')
  return `/assets/${live}`
}

/** A page lists the chunks of its islands; chunks of the boot script are found by its imports. */
function withImports(urls: string[], seen = new Set<string>()): Set<string> {
  for (const url of urls) {
    if (seen.has(url)) continue
    seen.add(url)
    const code = readFileSync(join(DIST, url), 'utf8')
    const imports = [...code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)]
    withImports(
      imports.map(([, file]) => `/assets/${file}`),
      seen,
    )
  }
  return seen
}

function kilobytes(urls: Iterable<string>): number {
  const bytes = [...urls].map((url) => readFileSync(`${join(DIST, url)}.gz`).length)
  return bytes.reduce((sum, each) => sum + each, 0) / 1024
}
