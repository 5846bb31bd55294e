import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnFolder } from '#tests/support/database.ts'
import { CREDENTIALS, isOnS3, s3Server } from '#tests/support/storage.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

async function openWithFile({ is_public = 'true', name = 'policy.pdf' } = {}) {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id } = await insertCode(app.db, owner.id)
  const body = fileForm(PDF, { document_type: 'insurance', is_public }, name)
  const answer = await app.ask('POST', `/api/documents/upload/${qr_id}`, { as: owner, body })
  const document = await answer.json()
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    app.ask(method, document.file_url, { headers })
  return { ...app, owner, document, get }
}

describe('GET /api/files/{name}', () => {
  test('records each view once, also when the browser has the file cached or reads it in parts', async () => {
    const { get, db, document } = await openWithFile()
    const countLooks = async () =>
      (await db.selectFrom('document_views').selectAll().execute()).length
    const known = { 'If-None-Match': `"${document.file_path}"` }
    const looks: Record<string, string>[] = [
      {},
      known,
      { Range: 'bytes=0-' },
      { Range: 'bytes=4-8' },
      { Range: 'bytes=-2' },
    ]
    const counts: number[] = []
    for (const headers of looks) {
      await get(headers)
      counts.push(await countLooks())
    }
    expect(counts).toEqual([1, 2, 3, 3, 3])
  })

  test('does not serve a file made private to a browser that has it cached', async () => {
    const { get, ask, owner, document } = await openWithFile()
    expect((await get()).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const json = { is_public: false }
    await ask('PATCH', `/api/documents/${document.id}`, { as: owner, json })
    expect((await get({ 'If-None-Match': `"${document.file_path}"` })).status).toBe(404)
  })

  test('serves a public document to others while its code is in use and nobody of it is blocked', async () => {
    const app = await openTestApp()
    const parent = await app.signUp({ subscription_plan: 'premium' })
    const child = await app.signUp({ parent_id: parent.id })
    const { qr_id } = await insertCode(app.db, parent.id, {
      qr_type: 'child',
      is_child_registered: 1,
      child_account_id: child.id,
    })
    const upload = async (as: typeof parent) => {
      const body = fileForm(await picture(), { document_type: 'puc', is_public: 'true' }, 'a.png')
      return (await app.ask('POST', `/api/documents/upload/${qr_id}`, { as, body })).json()
    }
    const [ofParent, ofChild] = [await upload(parent), await upload(child)]
    const urls = [
      ofParent.file_url,
      ofParent.thumbnail_url,
      ofChild.file_url,
      ofChild.thumbnail_url,
    ] as string[]
    const opened = async (as?: typeof parent) => {
      const statuses: number[] = []
      for (const url of urls)
        statuses.push((await app.ask('GET', url, { ...(as && { as }) })).status)
      return statuses
    }
    const policed = async () => {
      const { documents } = await (await app.ask('GET', `/api/documents/${qr_id}/police`)).json()
      return documents.map(({ id }: { id: string }) => id).sort()
    }
    const setCode = (is_active: 0 | 1) =>
      app.db.updateTable('qr_codes').set({ is_active }).execute()
    const block = (id: string, is_active: 0 | 1) =>
      app.db.updateTable('accounts').set({ is_active }).where('id', '=', id).execute()
    const open = [200, 200]
    const closed = [404, 404]
    const both = [ofParent.id, ofChild.id].sort()
    expect([await opened(), await policed()]).toEqual([[...open, ...open], both])
    await setCode(0)
    expect(await opened()).toEqual([...closed, ...closed])
    expect(await opened(parent)).toEqual([...open, ...closed])
    await setCode(1)
    await block(child.id, 0)
    expect([await opened(), await policed()]).toEqual([[...open, ...closed], [ofParent.id]])
    await block(child.id, 1)
    await block(parent.id, 0)
    expect([await opened(), await policed()]).toEqual([[...closed, ...closed], []])
    expect(await opened(child)).toEqual([...closed, ...open])
    await block(parent.id, 1)
    expect([await opened(), await policed()]).toEqual([[...open, ...open], both])
  })

  test('does not confirm a closed document to a browser that has it cached', async () => {
    const { get, db, document } = await openWithFile()
    const known = { 'If-None-Match': `"${document.file_path}"` }
    expect((await get(known)).status).toBe(304)
    await db.updateTable('qr_codes').set({ is_active: 0 }).execute()
    expect((await get(known)).status).toBe(404)
  })

  test('answers with the type of the content, and with nothing that could act', async () => {
    const { get, document } = await openWithFile()
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': `inline; filename="policy.pdf"; filename*=UTF-8''policy.pdf`,
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-scripts allow-same-origin",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, max-age=0, must-revalidate',
      'accept-ranges': 'bytes',
      etag: `"${document.file_path}"`,
    })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PDF)
  })

  test('gives a private file to its uploader alone, and to no cache', async () => {
    const { ask, owner, signUp, document } = await openWithFile({ is_public: 'false' })
    const own = await ask('GET', document.file_url, { as: owner })
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const byCookie = await ask('GET', document.file_url, { headers: { Cookie: owner.cookie } })
    expect(byCookie.status).toBe(200)
    for (const answer of [
      await ask('GET', document.file_url),
      await ask('GET', document.file_url, { as: await signUp({ role: 'super_admin' }) }),
      await ask('GET', `/api/files/${'a'.repeat(26)}.pdf`),
    ]) {
      expect([answer.status, await answer.json()]).toEqual([404, { detail: 'File not found' }])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('finds nothing for a malformed name', async () => {
    const { ask } = await openWithFile()
    const letters = 'a'.repeat(26)
    for (const name of [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2fdriveqr.db',
      '..%5cdriveqr.db',
      '%2fetc%2fpasswd',
      'incoming',
      'incoming%2fabc',
      `${letters}.pdf%00.png`,
      `${letters}.pdf%0a`,
      `${letters.toUpperCase()}.pdf`,
      `${letters}.svg`,
      'a'.repeat(5000),
    ]) {
      expect([name, (await ask('GET', `/api/files/${name}`)).status]).toEqual([name, 404])
    }
  })

  test.skipIf(!isOnS3())('says when to try again while S3 is busy, and logs why', async () => {
    const { get, ask, owner, document, logged } = await openWithFile()
    const { cause } = await s3Server()
    onTestFinished(() => cause(() => undefined))
    cause(() => 'busy')
    const upload = fileForm(PDF, { document_type: 'puc' })
    const path = `/api/documents/upload/${document.qr_id}`
    for (const answer of [await get(), await ask('POST', path, { as: owner, body: upload })]) {
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5'])
      expect(await answer.json()).toEqual({
        detail: 'The storage of files does not answer. Try again in a moment.',
        retry_after: 5,
      })
    }
    expect(logged.join()).toContain('SlowDown')
    expect(logged.join()).not.toContain(CREDENTIALS.AWS_SECRET_ACCESS_KEY)
    cause(() => undefined)
    expect((await get()).status).toBe(200)
  })

  testOnFolder('follows no link that stands where a file should', async () => {
    const { get, dataDir, document } = await openWithFile()
    const file = join(dataDir, 'files', document.file_path)
    rmSync(file)
    symlinkSync(join(dataDir, 'driveqr.db'), file)
    expect((await get()).status).toBe(404)
    rmSync(file)
    expect((await get()).status).toBe(404)
  })

  test('answers a range with that part', async () => {
    const { get } = await openWithFile()
    const whole = PDF.toString()
    const size = PDF.length
    const parts: [string, number, string, string | null][] = [
      ['bytes=0-4', 206, '%PDF-', `bytes 0-4/${size}`],
      ['bytes=5-', 206, whole.slice(5), `bytes 5-${size - 1}/${size}`],
      ['bytes=-6', 206, whole.slice(-6), `bytes ${size - 6}-${size - 1}/${size}`],
      ['bytes=40-9999', 206, whole.slice(40), `bytes 40-${size - 1}/${size}`],
      [`bytes=${size}-`, 416, '', `bytes */${size}`],
      ['bytes=-0', 416, '', `bytes */${size}`],
      ['bytes=4-1', 200, whole, null],
      ['bytes=0-1,3-4', 200, whole, null],
      ['lines=1-2', 200, whole, null],
    ]
    for (const [range, status, text, contentRange] of parts) {
      const answer = await get({ Range: range })
      expect([range, answer.status, await answer.text()]).toEqual([range, status, text])
      expect([range, answer.headers.get('content-range')]).toEqual([range, contentRange])
      const length = status === 416 ? null : String(text.length)
      expect([range, answer.headers.get('content-length')]).toEqual([range, length])
    }
  })

  test('sends a file once to a client that caches it, and whole to one that cached another', async () => {
    const { get, document } = await openWithFile()
    const etag = `"${document.file_path}"`
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const answer = await get({ 'If-None-Match': known })
      expect([answer.status, await answer.text()]).toEqual([304, ''])
      expect(answer.headers.get('etag')).toBe(etag)
    }
    expect((await get({ 'If-None-Match': '"x"' })).status).toBe(200)
    expect((await get({ Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206)
    expect((await get({ Range: 'bytes=0-1', 'If-Range': '"x"' })).status).toBe(200)
  })

  test('tells a HEAD how long the file is', async () => {
    const { get } = await openWithFile()
    const answer = await get({}, 'HEAD')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(answer.headers.get('content-length')).toBe(String(PDF.length))
    expect((await get({ Range: 'bytes=0-1' }, 'HEAD')).headers.get('content-length')).toBe('2')
  })

  test('sends a file under its own name, with any characters in the header', async () => {
    const { get, document } = await openWithFile({ name: 'प "ॉलिसी\u202e\r\nX-Evil: 1.pdf' })
    const answer = await get()
    const header = answer.headers.get('content-disposition') ?? ''
    expect(header).toMatch(/^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[%\w.-]*$/)
    expect(decodeURIComponent(header.split("''")[1] ?? '')).toBe(document.file_name)
    expect(answer.headers.has('x-evil')).toBe(false)
  })
})
