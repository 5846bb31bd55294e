import { expect, test } from 'vitest'
import { renewActivationCode } from '#db/codes/activation.ts'
import { hashPin } from '#db/codes/pins.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS, LANGUAGES, type Lang } from '#locales/languages.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { openFound, TYPED } from '#tests/support/finder.ts'
import { insertInvitation } from '#tests/support/people.ts'
import { SCRIPTS } from '#tests/support/scripts.ts'
import { thingsOf } from '#tests/support/things.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

/** Texts that are no English words on a page in another language: names, and the halves of a day. */
const NAMES =
  /\b(?:DriveQR|QR|WhatsApp|SMS|PIN|OTP|IND|JPEG|JPG|PNG|WebP|MB|DigiLocker|mParivahan|RC|PUC|English|Website|am|pm|AM|PM)\b/g
/** Typed texts, and the parts of codes and plates. */
const TYPED_TEXTS = /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}\b|MH 12 QX 4827|Asha Patil|\S*[@/=.]\S+/g
/** In a script that no catalogue has. */
const PERSON = 'Ωμέγα'

const offered = (await Promise.all(LANGS.map(loadCatalogue))).filter(({ lang }) => lang !== 'en')

/** All that a page says, to be read or heard, or by a script. */
function saidIn(html: string): string[] {
  const texts = html
    .replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<meta (?!name="description")[^>]*>/g, '')
  const attributes = texts.matchAll(
    /\s(?:alt|aria-label|title|placeholder|content|data-(?!enhance|outcome|status|dialog|read=)[a-z]+)="([^"]*)"/g,
  )
  const shown = texts.replaceAll(/<[^>]*>/g, '\n').split('\n')
  return [...shown, ...[...attributes].map(([, text = '']) => text)]
}

function wordsOfEnglish(html: string): string[] {
  return saidIn(html).flatMap((text) => {
    const rest = text.replaceAll(/&#?\w+;|\{\w+\}/g, ' ').replaceAll(TYPED_TEXTS, ' ')
    return rest.replaceAll(NAMES, ' ').match(/[A-Za-z]{2,}/g) ?? []
  })
}

/** Letters of other scripts than the language's, Latin and that of people's words, beside the menu. */
function strangersIn(html: string, lang: Lang): string[] {
  const rest = html.replaceAll(/<details class="langs".*?<\/details>/gs, '')
  const letters = saidIn(rest).join('').match(/\p{L}/gu) ?? []
  const isKnown = (letter: string) =>
    SCRIPTS[lang].test(letter) || /\p{Script=Latin}|\p{Script=Greek}/u.test(letter)
  return letters.filter((letter) => !isKnown(letter))
}

/** Returns signs of Latin script, except those in numbers and in typed texts. */
function latinSignsIn(html: string): string[] {
  return saidIn(html).filter((text) =>
    /(?<!\d)[,;?]/.test(text.replaceAll(/&#?\w+;/g, ' ').replaceAll(TYPED_TEXTS, ' ')),
  )
}

/** A page for each state, as `[name, page]`. */
async function pagesIn(lang: string): Promise<[string, Response][]> {
  const app = await openFound({ owner_name: PERSON, email: null, emergency_contact_name: PERSON })
  const { db, code, owner, path, deps } = app
  const scan = `/scan/${code.qr_id}`
  const headers = { 'Accept-Language': lang, 'Sec-Fetch-Site': 'same-origin' }
  const get = (url: string, cookie = '') => app.ask('GET', url, { headers: { ...headers, cookie } })
  const post = (url: string, form: Record<string, string>) =>
    app.ask('POST', url, { headers, body: new URLSearchParams(form) })
  const set = (fields: object) =>
    db.updateTable('qr_codes').set(fields).where('id', '=', code.id).execute()
  const insert = async (fields: object) => (await insertCode(db, owner.id, fields)).qr_id
  const pages: [string, Response][] = []
  const add = async (name: string, answer: Promise<Response>) => {
    pages.push([name, await answer])
  }

  await add('scan', get(scan))
  await add('menu', get(`${scan}?lang=`))
  const pin_hash = hashPin(deps.secretKey, code.qr_id, '1234')
  await set({ contact_mode: 'relay', blood_group: 'O+', pin_hash })
  await add('relay', get(scan))
  await add('PIN', post(scan, { pin: '1234' }))
  for (const pin of ['1', '2222', '2222', '2222', '2222', '2222', '2222']) {
    await add(`PIN ${pin}`, post(scan, { pin }))
  }
  await set({ lost_since: '2026-11-18T08:00:00.000Z', lost_note: PERSON, lost_reward: '₹500' })
  await add('lost', get(scan))
  await set({ lost_since: null })
  await add('own', get(scan, owner.cookie))
  await add('preview', get(`${scan}?preview=1`, owner.cookie))
  await add('unknown', get('/scan/000000000000'))
  const replaced = await insert({ owner_name: PERSON })
  await replaceQrCode(db, owner, replaced, deps.clock())
  await add('replaced', get(`/scan/${replaced}`))
  await add('message to a replaced tag', get(`/scan/${replaced}/message`))

  const child = await insert(CHILD)
  await add('unregistered', get(`/scan/${child}`))
  await add('register', get(`/child-register?qr=${child}`))
  await add('not registered', post(`/child-register?qr=${child}`, { contact_type: 'email' }))
  const password = { password: 'secret', confirm_password: 'other' }
  const user = { name: PERSON, contact: '9845012345', ...password }
  await add('passwords differ', post(`/child-register?qr=${child}`, user))
  const waiting = await insert(CHILD)
  const minor = { qr_id: waiting, name: PERSON, contact: '9845054321', adult: false }
  await app.ask('POST', '/api/qr/child-register', {
    json: { ...minor, contact_type: 'mobile', password: 'secret' },
  })
  await add('waiting', get(`/scan/${waiting}`))
  const registered = (await registeredChild(app, owner.id)).qr_id
  await add('registered', get(`/child-register?qr=${registered}`))
  await add('forgot', get(`/child-register?qr=${registered}&forgot=1`))
  await add('forgot nothing', post(`/child-register?qr=${registered}&forgot=1`, { contact: '' }))
  await add('asked', get(`/child-register?qr=${registered}&sent=1`))

  const unclaimed = await insert(UNCLAIMED)
  await add('claim', get(`/claim?qr=${unclaimed}`))
  await add('claim of an account', get(`/claim?qr=${unclaimed}`, owner.cookie))
  await add('not claimed', post(`/claim?qr=${unclaimed}`, { owner_name: PERSON }))
  const claimer = { owner_name: PERSON, contact_phone: '9845012345', city_area: 'Ω'.repeat(201) }
  await add('too long', post(`/claim?qr=${unclaimed}`, claimer))
  const activated = await insert(UNCLAIMED)
  const by = { secretKey: deps.secretKey, now: deps.clock() }
  await renewActivationCode(db, owner, activated, by)
  await add('claim with a code', get(`/claim?qr=${activated}`))
  const contact = { owner_name: PERSON, contact_phone: '9845012345' }
  await add('claim without it', post(`/claim?qr=${activated}`, contact))
  for (const activation_code of ['?', ...Array.from({ length: 6 }, () => '000000')]) {
    const answer = post(`/claim?qr=${activated}`, { ...contact, activation_code })
    await add(`claim with ${activation_code}`, answer)
  }
  await add('claimed', get(`/claim?qr=${code.qr_id}`))
  await add('claim of a child code', get(`/claim?qr=${child}`))
  const claim = { qr_id: unclaimed, owner_name: PERSON, contact_phone: '9845012345' }
  const { take_url } = await (await app.ask('POST', '/api/qr/claim', { json: claim })).json()
  const take = new URL(take_url).pathname
  await add('take', get(take))
  await add('take into an account', get(take, owner.cookie))
  await add('taken', get('/take/x'))

  const invite = `/invite/${await thingsOf(app, owner).inviteToken()}`
  await add('invitation', get(invite))
  await add('invitation without a name', post(invite, { name: '' }))
  await add('invitation with other passwords', post(invite, { name: PERSON, ...password }))
  await add('invitation with an account', get(invite, owner.cookie))
  await add('invitation of the past', get('/invite/x'))

  for (const role of ['viewer', 'manager'] as const) {
    const { token } = await insertInvitation(db, owner.id, `${role}@example.in`, deps.clock(), {
      role,
    })
    const help = `/invite/${token}`
    await db.updateTable('accounts').set({ name: PERSON }).where('id', '=', owner.id).execute()
    await add(`help as a ${role}`, get(help))
    await add(`help as a ${role} with another account`, get(help, owner.cookie))
    await add(`help as a ${role} with an account to make`, get(`${help}?join=1`))
    await add(`help as a ${role} with other passwords`, post(help, { name: PERSON, ...password }))
    await add(`help as a ${role} declined`, post(`${help}/decline`, {}))
  }

  const transfer = `/transfer/${await thingsOf(app, owner).transferToken()}`
  const named = db.updateTable('accounts').set({ name: PERSON }).where('name', '=', 'Ravi Menon')
  await named.execute()
  await add('transfer', get(transfer))
  await add('transfer without room', get(transfer, owner.cookie))
  const room = db.updateTable('accounts').set({ qr_limit: 50 }).where('id', '=', owner.id)
  await room.execute()
  await add('transfer of a code', get(transfer, owner.cookie))
  await db
    .updateTable('qr_codes')
    .set({ vehicle_registration: 'MH12QX4827' })
    .where('id', 'in', db.selectFrom('transfers').select('code_id'))
    .execute()
  await add('transfer of a vehicle', get(transfer, owner.cookie))
  const half = { headers: { ...headers, cookie: owner.cookie }, body: new URLSearchParams({}) }
  await add('transfer not accepted', app.ask('POST', transfer, half))
  await add('transfer decided', get('/transfer/x'))

  await add('reset, too late', get('/reset-password?token=x'))
  await add('reset', get(`/reset-password?token=${await resetToken(app, registered)}`))

  await add('message', get(path))
  const typed = { ...TYPED, text: PERSON, place: PERSON, name: PERSON }
  const wrong: Record<string, string>[] = [
    {},
    { reason: 'other' },
    { ...typed, reply_to: '1' },
    { ...typed, name: 'Ω'.repeat(61) },
  ]
  for (const each of wrong) {
    const body = await app.fillIn(each)
    await add(
      `message ${JSON.stringify(each).slice(0, 40)}`,
      app.ask('POST', path, { headers, body }),
    )
  }
  const body = await app.fillIn(typed, { photo: await picture() })
  const begun = await app.ask('POST', path, { headers, body })
  const conversation = begun.headers.get('Location') ?? ''
  await add('conversation', get(conversation))
  await add('answer nothing', post(conversation, { text: '' }))
  await add('stop?', get(`${conversation}?stop=1`))
  const [{ id }] = (await db.selectFrom('conversations').select('id').execute()) as [{ id: string }]
  for (const status of ['closed', 'returned']) {
    await app.ask('PUT', `/api/conversations/${id}/status`, { as: owner, json: { status } })
    await add(status, get(conversation))
  }
  await post(`${conversation}/stop`, {})
  await add('ended', get(conversation))
  await set({ claimed_at: '2026-11-19T10:00:00.000Z' })
  await add('no messages', get(path))
  await set({ claimed_at: null })

  await add('report', get(`${scan}/report`))
  await add('report nothing', post(`${scan}/report`, {}))
  await add('reported', get(`${scan}/report?sent=1`))

  await add('police without documents', get(`/police/${code.qr_id}`))
  await add('police, unknown', get('/police/000000000000'))
  await set({ contact_mode: 'public' })
  for (const [document_type, document_side] of [
    ['puc', ''],
    ['rc_book', 'front'],
  ] as const) {
    const sent = { document_type, ...(document_side && { document_side }), is_public: 'true' }
    const file = fileForm(PDF, sent, 'Ω.pdf')
    await app.ask('POST', `/api/documents/upload/${code.qr_id}`, { as: owner, body: file })
  }
  await add('police', get(`/police/${code.qr_id}`))
  for (let n = 0; n < 25; n++) await get(`/police/${code.qr_id}`)
  await add('police, too often', get(`/police/${code.qr_id}`))
  for (let n = 0; n < 60; n++) await get(scan)
  await add('busy', get(scan))
  return pages
}

/** The token of a link that the owner approved. */
async function resetToken({ ask, owner, db }: Found, qr_id: string): Promise<string> {
  await ask('POST', '/api/qr/forgot-password', { json: { qr_id, contact: '9814012345' } })
  const [{ id }] = (await db.selectFrom('password_reset_requests').select('id').execute()) as [
    { id: string },
  ]
  const json = { request_id: id, action: 'approve' }
  const answer = await ask('POST', '/api/client/password-reset-approve', { as: owner, json })
  return new URL((await answer.json()).reset_url).searchParams.get('token') ?? ''
}

type Found = Awaited<ReturnType<typeof openFound>>

test.each(offered)('no page in $lang says a word of English', async ({ lang }) => {
  const { dir } = LANGUAGES[lang]
  const found: unknown[] = []
  for (const [name, page] of await pagesIn(lang)) {
    const html = await page.text()
    const { headers } = page
    const says = [headers.get('Content-Language'), headers.get('Vary')?.includes('Accept-Language')]
    if (says[0] !== lang || !says[1]) found.push([name, says])
    const words = wordsOfEnglish(html)
    if (words.length > 0) found.push([name, words])
    const strangers = strangersIn(html, lang)
    if (strangers.length > 0) found.push([name, strangers.join('')])
    const signs = lang === 'ur' ? latinSignsIn(html) : []
    if (signs.length > 0) found.push([name, signs])
    expect(html).toContain(`<html lang="${lang}"`)
    expect(html).not.toContain('hreflang')
    expect([name, html.includes('<html lang="ur" dir="rtl"')]).toEqual([name, dir === 'rtl'])
  }
  expect(found).toEqual([])
})

test('no page in English has a letter of another language, but in the menu', async () => {
  const found: unknown[] = []
  for (const [name, page] of await pagesIn('en')) {
    const strangers = strangersIn(await page.text(), 'en')
    if (strangers.length > 0) found.push([name, strangers.join('')])
  }
  expect(found).toEqual([])
})
