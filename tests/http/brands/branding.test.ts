import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { PLAN_IDS } from '#domain/plans/plan.ts'
import { BRAND, openBrand } from '#tests/support/brands.ts'
import { registeredChild } from '#tests/support/families.ts'
import { storedFile } from '#tests/support/storage.ts'
import { blackPng, filesIn, PDF, picture } from '#tests/support/uploads.ts'

const NO_BRANDING = 'Upgrade to Premium to use custom branding'

describe('a brand', () => {
  test('has the saved values, and a text colour that can be read on it', async () => {
    const { call, save } = await openBrand({ plan: 'premium' })
    const nothing = {
      brand_name: null,
      colour: null,
      footer: null,
      hide_product_name: false,
      logo: null,
      text_colour: '#000000',
      contrast: 13.34,
    }
    expect(await call('GET')).toEqual({ status: 200, body: nothing })
    const body = { ...BRAND, logo: null, text_colour: '#ffffff', contrast: 8.4 }
    expect(await save()).toEqual({
      status: 200,
      body: expect.objectContaining({ ...body, contrast: expect.closeTo(8.4, 1) }),
    })
    const kept = await call('PUT', '', { json: { brand_name: ' ', colour: '', footer: null } })
    expect(kept.body).toEqual(nothing)
  })

  test.each(['free', 'premium', 'enterprise'] as const)('on %s', async (plan) => {
    const { call, save, upload } = await openBrand({ plan })
    const calls = [await call('GET'), await save(), await upload(), await call('DELETE', '/logo')]
    const statuses = calls.map(({ status }) => status)
    if (plan !== 'free') return expect(statuses).toEqual([200, 200, 200, 200])
    expect(statuses).toEqual([403, 403, 403, 403])
    for (const { body } of calls) expect(body.detail).toBe(NO_BRANDING)
  })

  test('is refused in the words of its field', async () => {
    const { save, call } = await openBrand({ plan: 'premium' })
    const refusals = [
      [{ colour: 'red' }, 400, 'Please enter a colour like #1a2b3c'],
      [{ footer: 'n'.repeat(121) }, 400, 'Footer must be at most 120 characters'],
      [{ hide_product_name: true }, 403, 'White-label is available on the Enterprise plan'],
    ] as const
    for (const [fields, status, detail] of refusals) {
      expect(await save(fields as object)).toEqual({ status, body: { detail } })
    }
    expect((await call('GET')).body.brand_name).toBeNull()
  })

  test('cannot hide the product without a name of its own', async () => {
    const { save, call } = await openBrand()
    const refused = await save({ hide_product_name: true, brand_name: '' })
    expect(refused.status).toBe(400)
    expect(refused.body.detail).toContain('Please enter a name')
    await save({ hide_product_name: true })
    const taken = await call('PUT', '', { json: { colour: '#0f4c96' } })
    expect([taken.status, taken.body.detail]).toEqual([400, refused.body.detail])
  })

  test.each(PLAN_IDS)('of a child user on the %s plan is its parent’s', async (plan) => {
    const app = await openBrand()
    const child = await registeredChild(app, app.owner.id)
    const account = await app.db
      .updateTable('accounts')
      .set({ subscription_plan: plan })
      .where('id', '=', child.child_account_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const as = await app.deps.sessions.start(account)
    const Cookie = `__Host-driveqr=${as.cookieToken}`
    const refusal = 'Your codes wear the brand of the account that you belong to'
    for (const path of ['', '/domain']) {
      const { status, body } = await app.call('GET', path, { as })
      expect([status, body.detail]).toEqual([403, refusal])
      const { html } = await app.look(`/settings/branding${path}`, { Cookie })
      expect(html).toContain(refusal)
      expect(html).not.toMatch(/Upgrade to Premium|available on the Enterprise plan/)
    }
  })

  test('is as it was when a plan ends and comes again, its hidden name too', async () => {
    const { save, upload, setPlan, call, look, qr_id } = await openBrand()
    await upload()
    await save({ hide_product_name: true })
    const before = (await call('GET')).body
    const branded = (await look(`/scan/${qr_id}`)).html
    await setPlan('free')
    expect((await look(`/scan/${qr_id}`)).html).not.toContain('NeelRath')
    await setPlan('premium')
    const json = { brand_name: BRAND.brand_name, colour: BRAND.colour, footer: BRAND.footer }
    expect((await call('PUT', '', { json })).body.hide_product_name).toBe(true)
    await setPlan('enterprise')
    expect((await call('GET')).body).toEqual(before)
    expect((await look(`/scan/${qr_id}`)).html).toBe(branded)
  })
})

describe('a logo', () => {
  test('is drawn twice: small for pages, larger for print', { tags: 'slow' }, async () => {
    const app = await openBrand({ plan: 'premium' })
    const noise = await sharp({
      create: {
        width: 1600,
        height: 800,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer()
    const { status, body } = await app.upload(noise)
    expect(status).toBe(200)
    const [, base64 = ''] = body.logo.split('base64,')
    const small = Buffer.from(base64, 'base64')
    expect(small.length).toBeLessThanOrEqual(3 * 1024)
    expect((await sharp(small).metadata()).format).toBe('webp')
    const { stored } = filesIn(app)
    expect(stored).toHaveLength(1)
    const large = storedFile(app.dataDir, stored[0] ?? '')
    const { width, height, format, exif } = await sharp(large).metadata()
    expect([width, height, format, exif]).toEqual([512, 256, 'png', undefined])
  })

  test('that is replaced or removed leaves no file', async () => {
    const app = await openBrand({ plan: 'premium' })
    await app.upload()
    const [first] = filesIn(app).stored
    await app.upload()
    expect(filesIn(app).stored).toHaveLength(1)
    expect(filesIn(app).stored).not.toContain(first)
    expect((await app.call('DELETE', '/logo')).body.logo).toBeNull()
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('of twenty that arrive at once one is kept, and one file', async () => {
    const app = await openBrand({ plan: 'premium' })
    const file = await picture()
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.upload(file)))
    expect(answers.map(({ status }) => status)).toContain(200)
    const { logo_file } = await app.db.selectFrom('brands').selectAll().executeTakeFirstOrThrow()
    expect(filesIn(app).stored).toEqual([logo_file])
  })

  test('is the account’s own file, and nobody else’s', async () => {
    const app = await openBrand({ plan: 'premium' })
    await app.upload()
    const [name] = filesIn(app).stored
    const statuses = []
    for (const as of [app.owner, await app.signUp(), undefined]) {
      statuses.push((await app.ask('GET', `/api/files/${name}`, as && { as })).status)
    }
    expect(statuses).toEqual([200, 404, 404])
  })

  const RIFF = (bytes: number) => Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(bytes)])
  test.each([
    ['nothing', async () => Buffer.alloc(0), 415],
    ['a PDF', async () => PDF, 415],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
    ['HTML', async () => Buffer.from('<!doctype html><script>alert(1)</script>'), 415],
    ['an animation', async () => picture({ kind: 'gif' }), 415],
    ['a TIFF', async () => picture({ kind: 'tiff' }), 415],
    ['a head without a picture', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 415],
    [
      'half of a picture',
      async () => (await picture({ kind: 'jpeg', width: 900, height: 900 })).subarray(0, 900),
      415,
    ],
    [
      'a WebP that is cut short',
      async () => (await picture({ kind: 'webp' })).subarray(0, 40),
      415,
    ],
    ['a WebP of zeros', async () => RIFF(40), 415],
    ['a bomb of pixels', async () => blackPng(15_000, 15_000), 413],
    ['a picture of one line', async () => blackPng(16_001, 1), 413],
    ['more than 2 MB', async () => Buffer.alloc(2 * 1024 * 1024 + 1, 1), 413],
  ])('%s is refused, and nothing stays', async (_, make, status) => {
    const app = await openBrand({ plan: 'premium' })
    await app.upload()
    const before = [(await app.call('GET')).body, filesIn(app)]
    const refused = await app.upload(await make())
    expect(refused.status).toBe(status)
    if (_ === 'more than 2 MB') expect(refused.body.detail).toBe('Image is larger than 2 MB')
    expect([(await app.call('GET')).body, filesIn(app)]).toEqual(before)
  })
})
