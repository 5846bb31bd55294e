import { setTimeout as sleep } from 'node:timers/promises'
import { LANGS } from '#domain/languages/languages.ts'
import { compare, measure, readPaths, SETTLED_MS, startOurs, type Target } from './scan-page.ts'
import { heapMb, inspected } from './support/heap.ts'
import type { Row } from './support/report.ts'

/** The language of most finders beside English, and the one with the longest texts. */
const OTHERS = { Hindi: 'hi', Tamil: 'ta' }
const AT_LEAST = 0.97
const MOST_MB = 3

/** The scan page in other languages, as phones ask for it, and what all their texts need of memory. */
export async function benchLanguages(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const { port, env } = await inspected()
  const ours = await startOurs(seeded, work, paths, env)
  const { url } = ours.running
  const ask = async (lang: string) => {
    const answer = await fetch(url + paths[0], { headers: headersIn(lang) })
    if (answer.headers.get('Content-Language') !== lang) throw new Error(`No page in ${lang}`)
    await answer.arrayBuffer()
  }
  await ask('en')
  // A start goes on loading after its first scan.
  await sleep(SETTLED_MS)
  const englishMb = await heapMb(port)
  for (const lang of LANGS) await ask(lang)
  const allMb = await heapMb(port)
  const targets: Target[] = Object.entries({ English: 'en', ...OTHERS }).map(([name, lang]) => {
    return { ...ours, name, headers: headersIn(lang) }
  })
  const results = await measure(targets, paths)
  await ours.running.stop()
  return [
    ...Object.keys(OTHERS).map((name) =>
      compare(results, `Scan page in ${name}, gzip ÷ in English`, name, 'English', AT_LEAST),
    ),
    {
      what: `Texts of ${LANGS.length - 1} other languages, MB of memory`,
      measured: `${allMb.toFixed(1)} MB`,
      limit: `${englishMb.toFixed(1)} MB in English`,
      ratio: allMb - englishMb,
      budget: { atMost: MOST_MB },
    },
  ]
}

function headersIn(lang: string): Record<string, string> {
  return { 'Accept-Language': lang, 'Accept-Encoding': 'gzip' }
}
