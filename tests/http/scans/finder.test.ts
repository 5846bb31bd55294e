import { expect, test } from 'vitest'
import { createFinderApp, isStrangersScan } from '#routes/scan/_finder-app.ts'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

test('the finder’s application answers like the whole application, in every state of a code', async () => {
  const { app, db, deps, signUp } = await openTestApp()
  const { db: _, sessions, outbox, google, ...atTheStart } = deps
  const finder = createFinderApp(atTheStart)
  const [owner, advertiser] = [await signUp(), await signUp()]
  await db
    .insertInto('popup_images')
    .values({
      id: 'poster',
      account_id: advertiser.id,
      file_name: 'a.png',
      stored_name: 'poster.webp',
      file_size: 1,
      width: 400,
      height: 300,
      is_active: 1,
      uploaded_at: NOW,
    })
    .execute()
  const codes = await Promise.all([
    insertCode(db, owner.id),
    insertCode(db, advertiser.id),
    insertCode(db, owner.id, { is_active: 0 }),
    insertCode(db, owner.id, { is_claimed: 0 }),
    insertCode(db, owner.id, { qr_type: 'child', is_child_registered: 0 }),
  ])
  const paths = [...codes.map(({ qr_id }) => qr_id), 'DEMO', '7K3MQ9WD4XTP', 'nonsense']
  const headers: Record<string, string>[] = [
    {},
    { 'Accept-Encoding': 'gzip' },
    { 'Accept-Language': 'hi' },
  ]
  const statuses = new Set<number>()
  for (const path of paths) {
    for (const each of headers) {
      const ask = async (one: typeof finder | typeof app) =>
        answerOf(await one.request(`/scan/${path}`, { headers: each }))
      const ours = await ask(finder)
      expect(ours).toEqual(await ask(app))
      statuses.add(ours.status)
    }
  }
  expect([...statuses].sort()).toEqual([200, 302, 404])
})

async function answerOf(response: Response) {
  const headers = new Headers(response.headers)
  headers.delete('X-Request-Id')
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status: response.status, headers: [...headers], body }
}

test('anybody whom a cookie or a token names, and any other call, is for the whole application', () => {
  const url = '/scan/7K3MQ9WD4XTP'
  const asks = (method: string, url: string, headers = {}) =>
    isStrangersScan({ method, url, headers })
  expect(asks('GET', url)).toBe(true)
  expect(asks('GET', `${url}?lang=hi`)).toBe(true)
  expect(asks('GET', url, { cookie: 'driveqr=x' })).toBe(false)
  expect(asks('GET', url, { authorization: 'Bearer x' })).toBe(false)
  for (const method of ['POST', 'HEAD', 'DELETE']) expect(asks(method, url)).toBe(false)
  for (const other of ['/', '/scan', '/scan/', `${url}/x`, '/api/scan/7K3MQ9WD4XTP', '/scan//x']) {
    expect(asks('GET', other)).toBe(false)
  }
})
