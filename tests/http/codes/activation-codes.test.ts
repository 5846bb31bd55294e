import { describe, expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { placeOf, readCode, readSheets, renderSheet, wordsIn } from '#tests/support/pdf.ts'

const PERSON = { owner_name: 'Ayesha Siddiqui', contact_phone: '98450 12345' }
const HOST = 'https://keys.example.in'

type Made = { qr_id: string; activation_code: string; needs_activation: boolean }

async function openActivated(quantity = 2) {
  const app = await openTestApp({ env: { PUBLIC_URL: HOST } })
  const { ask } = app
  const issuer = await app.signUp({ subscription_plan: 'premium' })
  const bulk = { quantity, activation: true }
  const answer = await ask('POST', '/api/qr/bulk-create', { as: issuer, json: bulk })
  const { qr_codes } = (await answer.json()) as { qr_codes: Made[] }
  const [first] = qr_codes as [Made]
  const claim = async (activation_code?: string, { qr_id } = first) => {
    const json = { ...PERSON, qr_id, ...(activation_code !== undefined && { activation_code }) }
    const claimed = await ask('POST', '/api/qr/claim', { json })
    const { detail } = await claimed.json()
    return { status: claimed.status, detail, retryAfter: claimed.headers.get('Retry-After') }
  }
  const list = async (): Promise<Record<string, unknown>[]> =>
    (await ask('GET', '/api/qr/my-qrs', { as: issuer })).json()
  const headers = { cookie: `__Host-${issuer.cookie}`, 'sec-fetch-site': 'same-origin' }
  const post = (path: string, form: Record<string, string>) =>
    ask('POST', path, { headers, body: new URLSearchParams(form) })
  const wrong = first.activation_code === '000000' ? '111111' : '000000'
  return { ...app, issuer, answer, qr_codes, first, claim, list, post, headers, wrong }
}

describe('codes that only their buyer can claim', () => {
  test('are made with activation codes that only this answer contains', async () => {
    const { answer, qr_codes, list, ask, issuer, first, logged } = await openActivated()
    expect(answer.status).toBe(201)
    for (const { activation_code, needs_activation } of qr_codes) {
      expect(activation_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/)
      expect(needs_activation).toBe(true)
    }
    const html = await (await ask('GET', '/dashboard', { as: issuer })).text()
    const pdf = await (await ask('GET', '/api/qr/labels.pdf?all=1', { as: issuer })).text()
    const all = JSON.stringify([await list(), html, pdf, logged])
    for (const { activation_code } of qr_codes) expect(all).not.toContain(activation_code)
    const [mine] = (await list()).filter(({ qr_id }) => qr_id === first.qr_id)
    expect(mine).toMatchObject({ needs_activation: true })
    expect(mine).not.toHaveProperty('activation_code')
  })

  test('are not made by default, and claiming them takes none', async () => {
    const { ask, issuer, claim } = await openActivated()
    for (const activation of [undefined, null, false]) {
      const json = { quantity: 1, activation }
      const made = await ask('POST', '/api/qr/bulk-create', { as: issuer, json })
      const [code] = (await made.json()).qr_codes
      expect(code).toMatchObject({ needs_activation: false })
      expect(code).not.toHaveProperty('activation_code')
      expect((await claim(undefined, code)).status).toBe(200)
    }
    const json = { quantity: 1, activation: 'yes' }
    const refused = await ask('POST', '/api/qr/bulk-create', { as: issuer, json })
    expect(refused.status).toBe(400)
  })

  test('are claimed with it, however it is typed, and not without it or with another one', async () => {
    const { claim, first, wrong, list, qr_codes } = await openActivated()
    const missing = { status: 400, detail: 'Please enter the activation code', retryAfter: null }
    expect(await claim()).toEqual(missing)
    expect(await claim('  ')).toEqual(missing)
    const not = { status: 403, detail: 'That activation code is not right', retryAfter: null }
    expect(await claim(wrong)).toEqual(not)
    expect(await claim(qr_codes[1]?.activation_code)).toEqual(not)
    const { activation_code: right } = first
    const typed = ` ${right.slice(0, 3)}-${right.slice(3)} `
      .toLowerCase()
      .replaceAll('0', 'o')
      .replace('1', 'l')
      .replaceAll('1', 'i')
    expect((await claim(typed)).status).toBe(200)
    expect((await claim(right)).status).toBe(409)
    const flags = (await list()).map((code) => [code.is_claimed, code.needs_activation])
    expect(flags).toContainEqual([true, false])
    expect(flags).toContainEqual([false, true])
  })

  test('are locked for 15 minutes by five wrong ones, also for the right one', async () => {
    const { claim, first, wrong, advance, qr_codes } = await openActivated()
    for (let n = 0; n < 5; n++) expect((await claim(wrong)).status).toBe(403)
    const detail = 'Too many wrong activation codes. Try again in 15 minutes.'
    expect(await claim(first.activation_code)).toEqual({ status: 429, detail, retryAfter: '900' })
    // The others are not locked.
    expect((await claim(qr_codes[1]?.activation_code, qr_codes[1])).status).toBe(200)
    advance(900)
    expect((await claim(wrong)).status).toBe(403)
    expect((await claim(first.activation_code)).status).toBe(200)
  })

  test('get a new one from their issuer alone, while they are unclaimed', async () => {
    const { ask, claim, first, issuer, signUp } = await openActivated()
    const path = `/api/qr/${first.qr_id}/activation`
    const stranger = await signUp()
    expect((await ask('POST', path, { as: stranger })).status).toBe(404)
    const answer = await ask('POST', path, { as: issuer })
    expect(answer.status).toBe(200)
    const { qr_id, activation_code } = await answer.json()
    expect(qr_id).toBe(first.qr_id)
    expect((await claim(first.activation_code)).status).toBe(403)
    expect((await claim(activation_code)).status).toBe(200)
    const late = await ask('POST', path, { as: issuer })
    expect([late.status, await late.json()]).toEqual([
      409,
      { detail: 'Only an unclaimed QR code can get a new activation code' },
    ])
  })

  test('are needed again for a claim after an undone one, as the dialog says', async () => {
    const { ask, first, claim, headers } = await openActivated()
    expect((await claim(first.activation_code)).status).toBe(200)
    const asked = await ask('GET', `/dashboard?undo-claim=${first.qr_id}`, { headers })
    const html = await asked.text()
    expect(html).toContain('Anyone with its activation code can claim it again')
    expect(html).not.toContain('Anyone with the printed tag')
  })

  test('are claimed on a page that asks for it, and says what is wrong beside it', async () => {
    const { ask, first, wrong, logged } = await openActivated()
    const page = `/claim?qr=${first.qr_id}`
    const html = await (await ask('GET', page)).text()
    expect(html).toContain('Activation code</label>')
    expect(html).toContain('On the half of the label that you tore off')
    const post = async (form: Record<string, string>) => {
      const answer = await ask('POST', page, { body: new URLSearchParams({ ...PERSON, ...form }) })
      const { status, headers } = answer
      return { status, retryAfter: headers.get('Retry-After'), html: await answer.text() }
    }
    const missing = await post({})
    expect(missing.status).toBe(400)
    expect(missing.html).toMatch(/name="activation_code"[^>]*>.*?Please enter the activation code/s)
    const refused = await post({ activation_code: wrong })
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('That activation code is not right')
    expect(refused.html).toContain('value="Ayesha Siddiqui"')
    for (let n = 0; n < 4; n++) await post({ activation_code: wrong })
    const locked = await post({ activation_code: first.activation_code })
    expect([locked.status, locked.retryAfter]).toEqual([429, '900'])
    expect(JSON.stringify(logged)).not.toContain(first.activation_code)
  })
})

describe('Bulk Create with activation codes, without script', () => {
  test('makes them once, and tells others of the unclaimed ones when its answer was lost', async () => {
    const { post, db, list, claim } = await openActivated(1)
    const form = { quantity: '3', activation: '1', form_key: 'k'.repeat(43) }
    const send = async (fields: Record<string, string> = form) => {
      const html = await (await post('/dashboard/qr/bulk', fields)).text()
      const pairs = /name="codes" value="([^"]+)"/.exec(html)?.[1]?.split(',') ?? []
      return new Map(pairs.map((pair) => pair.split(':') as [string, string]))
    }
    const lost = await send()
    const again = await send()
    expect([...again.keys()].sort()).toEqual([...lost.keys()].sort())
    expect(await list()).toHaveLength(4)
    const [id = ''] = again.keys()
    expect((await claim(lost.get(id), { qr_id: id } as Made)).status).toBe(403)
    expect((await claim(again.get(id), { qr_id: id } as Made)).status).toBe(200)
    again.delete(id)
    expect([...(await send()).keys()].sort()).toEqual([...again.keys()].sort())
    const rows = await db.selectFrom('activation_codes').select('code_id').execute()
    await send({ ...form, activation: '' })
    expect(await list()).toHaveLength(7)
    expect(await db.selectFrom('activation_codes').select('code_id').execute()).toHaveLength(
      rows.length,
    )
  })

  test('shows them once, with the list and the labels that have them', async () => {
    const { post, db, issuer } = await openActivated(1)
    const made = await post('/dashboard/qr/bulk', { quantity: '3', activation: '1' })
    expect([made.status, made.headers.get('Cache-Control')]).toEqual([
      200,
      expect.stringContaining('no-store'),
    ])
    const html = await made.text()
    expect(html).toContain('3 activation codes')
    const codes = /name="codes" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const pairs = codes.split(',').map((pair) => pair.split(':') as [string, string])
    expect(pairs).toHaveLength(3)
    for (const [id, code] of pairs) {
      expect(html).toMatch(
        new RegExp(`<dt>${formatQrId(id)}</dt><dd[^>]*><code>${code}</code></dd>`),
      )
    }
    const list = await post('/dashboard/qr/activation/codes.csv', { codes })
    expect(list.headers.get('Content-Disposition')).toBe(
      'attachment; filename="DriveQR-activation-codes.csv"',
    )
    const rows = pairs.map(([id, code]) => `${formatQrId(id)},${HOST}/scan/${id},${code}`)
    expect(await list.text()).toBe(['code,link,activation_code', ...rows, ''].join('\r\n'))
    // They are right only while the codes are unclaimed and get no others.
    const [[id]] = pairs as [[string, string]]
    await post(`/dashboard/qr/${id}/activation`, {})
    for (const file of ['codes.csv', 'labels.pdf']) {
      const late = await post(`/dashboard/qr/activation/${file}`, { codes })
      expect([file, late.status]).toEqual([file, 409])
    }
    const theirs = codes.replaceAll(/:\w{6}/g, ':000000')
    expect((await post('/dashboard/qr/activation/codes.csv', { codes: theirs })).status).toBe(409)
    expect((await post('/dashboard/qr/activation/labels.pdf', { codes: 'x' })).status).toBe(400)
    const own = db.selectFrom('qr_codes').select('qr_id').where('owner_id', '=', issuer.id)
    expect(await own.execute()).toHaveLength(4)
  })

  test('makes a new one for an unclaimed code from its card', async () => {
    const { post, ask, headers, first, claim } = await openActivated(1)
    const read = async (path: string) => (await ask('GET', path, { headers })).text()
    expect(await read('/dashboard')).toContain('New activation code')
    const dialog = await read(`/dashboard?tab=my-qrs&activation=${first.qr_id}`)
    expect(dialog).toContain('The old activation code stops working')
    const html = await (await post(`/dashboard/qr/${first.qr_id}/activation`, {})).text()
    const [, code = ''] = /name="codes" value="\w{12}:(\w{6})"/.exec(html) ?? []
    expect((await claim(first.activation_code)).status).toBe(403)
    expect((await claim(code)).status).toBe(200)
    expect(await read('/dashboard')).not.toContain('New activation code')
  })
})

describe('labels with activation codes', () => {
  const perPage = { 25: 15, 50: 3, 70: 2 }

  test.each([25, 50, 70] as const)('of %i mm have them on the half to tear off', async (size) => {
    const count = perPage[size] + 1
    const { post, qr_codes } = await openActivated(count)
    const codes = qr_codes.map(({ qr_id, activation_code }) => `${qr_id}:${activation_code}`)
    const answer = await post('/dashboard/qr/activation/labels.pdf', {
      codes: codes.join(),
      size: String(size),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('application/pdf')
    const pdf = Buffer.from(await answer.arrayBuffer())
    const sheets = readSheets(pdf)
    expect(sheets.map(({ blackShapes }) => blackShapes.length)).toEqual([perPage[size], 1])
    const onFirst = qr_codes.slice(0, perPage[size])
    const words = wordsIn(pdf)
    const shown = words.filter((word) => onFirst.some((code) => code.activation_code === word))
    expect(shown).toEqual(onFirst.map(({ activation_code }) => activation_code))
    const picture = await renderSheet(pdf, 0)
    for (const [n, box] of (sheets[0]?.blackShapes ?? []).entries()) {
      expect(box.width).toBeCloseTo(size, 2)
      const quiet = (4 * size) / (size === 25 ? 29 : 33)
      const square = {
        x: box.x - quiet + 0.1,
        y: box.y - quiet + 0.1,
        width: box.width + 2 * quiet - 0.2,
        height: box.height + 2 * quiet - 0.2,
      }
      expect(readCode(picture, square).text).toBe(`${HOST}/scan/${onFirst[n]?.qr_id}`)
    }
  })

  test('are true to the millimetre: the halves meet at the perforation', async () => {
    const { post, qr_codes } = await openActivated(6)
    const codes = qr_codes.map(({ qr_id, activation_code }) => `${qr_id}:${activation_code}`)
    const print = async (size: string) => {
      const form = { codes: codes.join(), size }
      const answer = await post('/dashboard/qr/activation/labels.pdf', form)
      const pdf = Buffer.from(await answer.arrayBuffer())
      return { boxes: readSheets(pdf)[0]?.blackShapes ?? [], sheet: await renderSheet(pdf, 0) }
    }
    // A tag is 36 mm wide and 18 + 25 * 37 / 29 + 8 mm high, its stub 22 mm, and 2.5 mm are between labels.
    const tags = await print('25')
    const [first, second, , , , sixth] = tags.boxes
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeCloseTo(38.5, 3)
    const tag = 18 + (25 * 37) / 29 + 8
    expect((sixth?.y ?? 0) - (first?.y ?? 0)).toBeCloseTo(tag + 22 + 2.5, 3)
    // The page is centred: five tags begin 10 mm from its edge, and 18 mm from its top.
    const across = { x: 12, y: 18 + tag - 0.6, width: 32, height: 1.2 }
    const { dark: perforation } = readCode(tags.sheet, across)
    expect(perforation.y + perforation.height / 2).toBeCloseTo(18 + tag, 0)
    expect(perforation.height).toBeLessThanOrEqual(0.7)
    expect(perforation.width).toBeGreaterThan(30)

    // A sticker is 50 * 41 / 33 + 6 mm wide, and its stub 42 mm is beside it.
    const stickers = await print('50')
    const sticker = (50 * 41) / 33 + 6
    const left = (210 - sticker - 42) / 2
    expect(stickers.boxes[0]?.x).toBeCloseTo(left + 3 + (4 * 50) / 33, 3)
    const along = { x: left + sticker - 0.6, y: 30, width: 1.2, height: 50 }
    const { dark: edge } = readCode(stickers.sheet, along)
    expect(edge.x + edge.width / 2).toBeCloseTo(left + sticker, 0)
    expect(edge.height).toBeGreaterThan(47)
  })

  test('have a code of at least 14 points, never on the half that stays', async () => {
    const { post, first } = await openActivated(1)
    const codes = `${first.qr_id}:${first.activation_code}`
    const answer = await post('/dashboard/qr/activation/labels.pdf', { codes, size: '25' })
    const pdf = Buffer.from(await answer.arrayBuffer())
    const { size, y } = placeOf(pdf, first.activation_code)
    expect(size).toBeCloseTo(14, 3)
    const [box] = readSheets(pdf)[0]?.blackShapes ?? []
    expect(y).toBeGreaterThan((box?.y ?? 0) + (box?.height ?? 0) + 8)
  })
})
