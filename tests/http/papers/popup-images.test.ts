import sharp from 'sharp'
import { expect, test } from 'vitest'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'
import { storedFile } from '#tests/support/storage.ts'
import { fileForm, filesIn, picture } from '#tests/support/uploads.ts'

async function openImages() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const { qr_id } = await insertCode(app.db, owner.id)
  const call = async (
    method: string,
    path: string,
    { as = owner, body = undefined as FormData | undefined } = {},
  ) => {
    const answer = await app.ask(method, `/api/popup-images${path}`, { as, body })
    return { status: answer.status, body: await answer.json() }
  }
  const upload = async (file?: Buffer, as = owner) =>
    call('POST', '/upload', { as, body: fileForm(file ?? (await picture()), {}, 'poster.png') })
  const popup = async () => (await app.ask('GET', `/api/scan/${qr_id}/popup`)).json()
  return { ...app, owner, qr_id, call, upload, popup }
}

test('images are shown before the contact page, newest first', { tags: 'slow' }, async () => {
  const { upload, call, popup, advance, ask } = await openImages()
  const { status, body: older } = await upload(await picture({ width: 3200, height: 1600 }))
  expect(status).toBe(201)
  expect(older).toStrictEqual({
    id: expect.any(String),
    file_name: 'poster.png',
    file_path: expect.stringMatching(/^[a-z2-7]{26}\.webp$/),
    file_size: expect.any(Number),
    width: 1600,
    height: 800,
    is_active: true,
    uploaded_at: NOW,
    url: `/api/files/${older.file_path}`,
  })
  advance(1)
  const { body: newer } = await upload()
  expect((await call('GET', '')).body).toEqual([newer, older])
  const shown = [newer, older].map(({ id, url, width, height }) => ({ id, url, width, height }))
  expect((await popup()).popup_images).toEqual(shown)
  const file = await ask('GET', older.url)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(file.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
})

test('a transparent image stays transparent', async () => {
  const { upload, dataDir } = await openImages()
  const canvas = { width: 30, height: 30, channels: 4, background: '#0000' } as const
  const { body } = await upload(await sharp({ create: canvas }).png().toBuffer())
  const { format, hasAlpha } = await sharp(storedFile(dataDir, body.file_path)).metadata()
  expect([format, hasAlpha]).toEqual(['webp', true])
})

test('those of a blocked account are shown to nobody', async () => {
  const { upload, popup, ask, db, deps, owner, qr_id, signUp } = await openImages()
  const { body } = await upload()
  const moderator = await signUp({ role: 'moderator' })
  const set = async (is_active: 0 | 1) => {
    await db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
    deps.scanPath.forgetPopups()
  }
  const report = () => ask('POST', `/api/scan/${qr_id}/report`, { json: { reason: 'fraud' } })
  const page = async () => (await ask('GET', `/scan/${qr_id}`)).text()
  expect(await page()).toContain(body.url)
  await set(0)
  expect((await popup()).popup_images).toEqual([])
  const html = await page()
  expect(html).toContain('Found these keys?')
  expect(html).not.toContain(body.url)
  expect((await ask('GET', body.url)).status).toBe(404)
  await report()
  const [blank] = await db.selectFrom('reports').select('snapshot').execute()
  expect(JSON.parse(blank?.snapshot ?? '').images).toEqual([])
  await set(1)
  await report()
  await set(0)
  expect((await ask('GET', body.url, { as: moderator })).status).toBe(200)
  await set(1)
  expect(await page()).toContain(body.url)
})

test('a hidden image is its owner’s alone, and comes back as it was', async () => {
  const { upload, call, popup, ask, owner, signUp } = await openImages()
  const { body } = await upload()
  expect((await call('GET', '', { as: await signUp() })).body).toEqual([])
  const hidden = await call('PUT', `/${body.id}/toggle`)
  expect(hidden).toEqual({ status: 200, body: { ...body, is_active: false } })
  expect((await popup()).popup_images).toEqual([])
  expect((await ask('GET', body.url)).status).toBe(404)
  expect((await ask('GET', body.url, { as: owner })).status).toBe(200)
  expect((await call('PUT', `/${body.id}/toggle`)).body).toEqual(body)
  expect((await ask('GET', body.url)).status).toBe(200)
})

testOnSqlite(
  'reports are not read for an account that may not see the reported image',
  async () => {
    const { upload, call, ask, signUp, connection } = await openImages()
    const { body } = await upload()
    await call('PUT', `/${body.id}/toggle`)
    const as = await signUp()
    const plans = await plansOf(connection, async () => {
      expect((await ask('GET', body.url)).status).toBe(404)
      expect((await ask('GET', body.url, { as })).status).toBe(404)
    })
    expect(plans.flat().join()).toContain('popup_images')
    expect(plans.flat().join()).not.toContain('reports')
  },
)

test('a deleted image is gone from the page and from the disk', async () => {
  const app = await openImages()
  const { body } = await app.upload()
  const deleted = { status: 200, body: { message: 'Popup image deleted successfully!' } }
  expect(await app.call('DELETE', `/${body.id}`)).toEqual(deleted)
  expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  expect((await app.popup()).popup_images).toEqual([])
  expect((await app.call('DELETE', `/${body.id}`)).status).toBe(404)
})

test('an account has 20 images at most, however many arrive at once', {
  tags: 'slow',
}, async () => {
  const { upload, db } = await openImages()
  await upload()
  const row = await db.selectFrom('popup_images').selectAll().executeTakeFirstOrThrow()
  const copies = Array.from({ length: 18 }, (_, i) => ({
    ...row,
    id: `c${i}`,
    stored_name: `c${i}`,
  }))
  await db.insertInto('popup_images').values(copies).execute()
  const answers = await Promise.all([upload(), upload()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402])
  expect((await upload()).body.detail.message).toBe('Popup image limit reached (20/20)')
})
