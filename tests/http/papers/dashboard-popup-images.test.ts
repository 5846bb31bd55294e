import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { fileForm, filesIn, picture } from '#tests/support/uploads.ts'

async function openTab() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const open = (query = '', as = owner) =>
    app.browse('GET', `/dashboard?tab=popup-images${query}`, undefined, as)
  const submit = (path: string, as = owner, fields: Record<string, string> = {}) =>
    app.browse('POST', `/dashboard/popup-images${path}`, new URLSearchParams(fields), as)
  const send = async (file: Buffer | null, fields: Record<string, string> = {}) =>
    app.browse(
      'POST',
      '/dashboard/popup-images/upload',
      fileForm(file, fields, 'diwali.png'),
      owner,
    )
  const rows = () => app.db.selectFrom('popup_images').selectAll().execute()
  return { ...app, open, submit, send, rows }
}

const TAB = '/dashboard?tab=popup-images'

test('an image is uploaded, hidden, shown and deleted without script', async () => {
  const { open, submit, send, rows, ...app } = await openTab()
  expect((await open()).html).toContain('No popup images')
  const dialog = (await open('&upload=1')).html
  expect(dialog).toMatch(/enctype="multipart.form-data"/i)
  expect(dialog).toContain('max 5MB, JPG/PNG/WebP')
  expect(await send(await picture())).toMatchObject({
    status: 303,
    to: `${TAB}&done=image-uploaded`,
  })
  const [{ id, stored_name } = {}] = await rows()
  const { html } = await open('&done=image-uploaded')
  expect(html).toContain('Popup image uploaded successfully!')
  expect(html).toContain(`src="/api/files/${stored_name}"`)
  expect(html).toContain('Uploaded 20 Nov 2026')
  expect(html).toMatch(/>Active<.*>Deactivate</)
  expect((await submit(`/${id}/toggle`)).to).toBe(`${TAB}&done=image-deactivated&at=toggle-${id}`)
  const hidden = (await open('&done=image-deactivated')).html
  expect(hidden).toContain('Image deactivated!')
  expect(hidden).toMatch(/>Inactive<.*>Activate</)
  expect((await submit(`/${id}/toggle`)).to).toBe(`${TAB}&done=image-activated&at=toggle-${id}`)
  expect((await open(`&delete=${id}`)).html).toContain('Delete this image?')
  expect((await submit(`/${id}/delete`)).to).toBe(`${TAB}&done=image-deleted`)
  expect(await rows()).toEqual([])
  expect(filesIn(app).stored).toEqual([])
})

test('the button of an image that is pressed again, because its answer was lost, says the same again', async () => {
  const { open, submit, send, rows } = await openTab()
  await send(await picture())
  const [{ id } = {}] = await rows()
  const hide = () => submit(`/${id}/toggle`, undefined, { is_active: 'false' })
  expect((await open()).html).toContain('name="is_active" value="false"')
  expect((await hide()).to).toContain('done=image-deactivated')
  expect((await hide()).to).toContain('done=image-deactivated')
  expect(await rows()).toMatchObject([{ is_active: 0 }])
  expect((await open()).html).toContain('name="is_active" value="true"')
})

test('a form that is sent again, because its answer was lost, shows finders one image', async () => {
  const { open, send, rows, ...app } = await openTab()
  const [, form_key = ''] =
    /name="form_key" value="([^"]+)"/.exec((await open('&upload=1')).html) ?? []
  expect(form_key).not.toBe('')
  const image = await picture()
  for (const key of [form_key, form_key, `${form_key}2`]) {
    expect((await send(image, { form_key: key })).to).toBe(`${TAB}&done=image-uploaded`)
  }
  expect(await rows()).toHaveLength(2)
  expect(filesIn(app).stored).toHaveLength(2)
})

test.each([
  ['no file', null, 400, 'Please select a file'],
  ['a text', Buffer.from('hello'), 415, 'Only JPG, PNG and WebP images are accepted'],
] as const)('the form comes back with %s and says why', async (_, file, status, why) => {
  const { send, rows } = await openTab()
  const answer = await send(file)
  expect(answer.status).toBe(status)
  expect(answer.html).toContain(why)
  expect(answer.html).toContain('Upload popup image</h2>')
  expect(await rows()).toEqual([])
})

test('an image is its owner’s alone', async () => {
  const { open, send, rows, signUp } = await openTab()
  await send(await picture())
  const [{ id } = {}] = await rows()
  const stranger = await signUp()
  expect((await open('', stranger)).html).toContain('No popup images')
  expect((await open(`&delete=${id}`, stranger)).status).toBe(404)
})
