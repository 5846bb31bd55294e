import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SUBJECTS } from '#routes/api/_subjects.ts'
import { openTestApp } from '#tests/support/app.ts'

test('the page has every call with its parameters, answers and a command to try, without script', async () => {
  const { ask } = await openTestApp()
  const answer = await ask('GET', '/api/docs')
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  const html = await answer.text()
  expect(html).not.toContain('<script')
  const text = html.replaceAll(/<[^>]+>/g, '').replaceAll('&#x27;', "'")
  for (const name of Object.keys(SUBJECTS)) expect(html).toContain(`>${name}</h2>`)
  const { paths } = await (await ask('GET', '/api/openapi.json')).json()
  for (const [path, methods] of Object.entries<Record<string, { summary: string }>>(paths)) {
    for (const [method, { summary }] of Object.entries(methods)) {
      expect(html).toContain(`>${summary}</h3>`)
      expect(text).toContain(`${method.toUpperCase()} ${path}`)
    }
  }
  expect(text).toContain("curl 'http://localhost:3000/api/qr/my-qrs'")
  expect(text).toContain("-F 'file=@picture.jpg'")
  expect(text).not.toMatch(/undefined|\[object/)
})

test('the page is rendered once for everybody, and not sent again to a browser that has it', async () => {
  const { ask, deps } = await openTestApp()
  const read = (headers: Record<string, string> = {}) => ask('GET', '/api/docs', { headers })
  const plain = await read()
  // A page that is rendered again has the names of these style sheets.
  deps.assets = { ...deps.assets, css: { ...deps.assets.css, public: 'd' } }
  const packed = await read({ 'Accept-Encoding': 'gzip', Cookie: 'driveqr_appearance=dark' })
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await plain.text())
  const known = await read({ 'If-None-Match': plain.headers.get('ETag') ?? '' })
  expect([known.status, await known.text()]).toEqual([304, ''])
})

test('each of its links has a target, and no id occurs twice', async () => {
  const { ask } = await openTestApp()
  const html = await (await ask('GET', '/api/docs')).text()
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets.length).toBeGreaterThan(Object.keys(SUBJECTS).length - 1)
  for (const target of targets) expect(ids).toContain(target)
})

test('its document is that of the same installation', async () => {
  const { ask } = await openTestApp({ env: { PUBLIC_URL: 'https://keys.example.in' } })
  const html = await (await ask('GET', '/api/docs')).text()
  expect(html).toContain('https://keys.example.in/api/qr/create')
  expect(html).not.toContain('localhost')
})
