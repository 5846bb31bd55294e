import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { toInlined } from '#routes/_http/assets.ts'
import { buildFinderScripts, buildInlined } from '#scripts/_finder-assets.ts'
import { openFound } from '#tests/support/finder.ts'
import { makeDataFolder } from '#tests/support/folders.ts'

const KILOBYTE = 1024
const LONGEST_PAGE = 6 * KILOBYTE
const LONGEST_WITH_SCRIPT = 7 * KILOBYTE
const LONGEST_SCRIPT = 3 * KILOBYTE

/** The bytes of each script, as it is and on the wire. */
async function scriptSizes() {
  const folder = makeDataFolder()
  await buildFinderScripts(folder)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => {
      const script = readFileSync(join(folder, name))
      return { name: name.split('-')[0], raw: script.length, wire: gzipSync(script).length }
    })
}

test.each(['en', 'hi'] as const)('the message page in %s is small', async (lang) => {
  const { ask, deps, path, fillIn, send } = await openFound()
  for (const page of ['message', 'report', 'conversation'] as const) {
    deps.assets.inlined = { ...deps.assets.inlined, [page]: toInlined(await buildInlined(page)) }
  }
  const scripts = await scriptSizes()
  const headers = { 'accept-encoding': 'gzip' }
  const sizeOf = async (path: string) => {
    const answer = await ask('GET', `${path}?lang=${lang}`, { headers })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    return (await answer.arrayBuffer()).byteLength
  }
  const { response } = await send(await fillIn())
  const page = response.headers.get('Location') ?? ''
  const sizes = {
    message: await sizeOf(path),
    report: await sizeOf(path.replace('message', 'report')),
    conversation: await sizeOf(page),
  }
  console.info(`pages in ${lang} on the wire: ${JSON.stringify({ ...sizes, scripts })}`)
  for (const size of Object.values(sizes)) expect(size).toBeLessThanOrEqual(LONGEST_PAGE)
  for (const { name, raw, wire } of scripts) {
    expect(raw).toBeLessThanOrEqual(LONGEST_SCRIPT)
    // A page loads that of photos with a chosen photo alone.
    if (name === 'photo') continue
    const ofPage = sizes[name as 'message' | 'conversation']
    expect(ofPage + wire).toBeLessThanOrEqual(LONGEST_WITH_SCRIPT)
  }
  expect(scripts.map(({ name }) => name).sort()).toEqual(['conversation', 'message', 'photo'])
})
