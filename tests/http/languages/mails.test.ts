import { expect, test } from 'vitest'
import { removeDeleted } from '#actions/accounts/deletion.ts'
import type { Mail } from '#domain/mail.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS, LANGUAGES, type Lang } from '#locales/languages.ts'
import { format } from '#locales/message.ts'
import { EMAIL, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { openFound, TYPED } from '#tests/support/finder.ts'

const FINDER = TYPED.reply_to

async function sentTo(app: Pick<TestApp, 'sender' | 'mails'>, to: string): Promise<Mail[]> {
  await app.sender.settled()
  const sent = app.mails.filter((mail) => mail.to === to)
  app.mails.length = 0
  return sent
}

/** Its subject, its language and direction, and its sentences, which a plain text breaks into lines. */
function readMail({ subject, text, html }: Mail) {
  const [, lang, dir] = /<html lang="(\w+)" dir="(\w+)">/.exec(html) ?? []
  return { subject, lang, dir, says: text.replaceAll('\n', ' ') }
}

const inLang = (lang: Lang) => ({ lang, dir: LANGUAGES[lang].dir })

/** Returns the headers of a browser in that language with a form. */
const headersIn = (lang: Lang) => ({ 'Accept-Language': lang, 'Sec-Fetch-Site': 'same-origin' })

async function openTalk() {
  const app = await openFound({}, WITH_MAIL)
  const begin = (lang: Lang) => app.begin(TYPED, undefined, headersIn(lang))
  const answer = (id: string) => {
    const json = { text: 'I am coming now' }
    return app.ask('POST', `/api/conversations/${id}/messages`, { as: app.owner, json })
  }
  return { ...app, begin, answer }
}

test.each(LANGS)('the mail about an answer is in the finder’s language: %s', async (lang) => {
  const { begin, answer, ...app } = await openTalk()
  const { id, page } = await begin(lang)
  await answer(id)
  const [mail, ...others] = await sentTo(app, FINDER)
  expect(others).toEqual([])
  const { answered, from } = (await loadCatalogue(lang)).mails
  const read = readMail(mail as Mail)
  expect(read).toMatchObject({ ...inLang(lang), subject: answered.subject })
  const said = [format(from, { site: 'localhost:3000' }), answered.reason, answered.read, page]
  for (const text of [...said, answered.secret, answered.stop]) expect(read.says).toContain(text)
})

test('it is in that of the page on which the finder wrote last', async () => {
  const { begin, answer, advance, ask, db, ...app } = await openTalk()
  const { id, page } = await begin('ta')
  const langOf = async () =>
    (await db.selectFrom('conversations').select('lang').execute())[0]?.lang
  await ask('GET', `${page}?lang=ur`)
  expect(await langOf()).toBe('ta')
  const body = new URLSearchParams({ text: 'One more thing.' })
  await ask('POST', page, { body, headers: headersIn('ur') })
  expect(await langOf()).toBe('ur')
  await answer(id)
  const [mail] = await sentTo(app, FINDER)
  expect(readMail(mail as Mail)).toMatchObject(inLang('ur'))
  advance(600)
  await ask('PUT', `/api/conversations/${id}/status`, {
    as: app.owner,
    json: { status: 'returned' },
  })
  const [thanks] = await sentTo(app, FINDER)
  expect(readMail(thanks as Mail)).toMatchObject(inLang('ur'))
})

test('a form that only changes its language sends nothing; the next one is in it', async () => {
  const { ask, path, fillIn, db } = await openTalk()
  const change = await fillIn({ ...TYPED, lang: 'kn' })
  const headers = headersIn('ta')
  const answer = await ask('POST', path, { body: change, headers })
  const [cookie = ''] = (answer.headers.get('Set-Cookie') ?? '').split(';')
  expect(await db.selectFrom('conversations').select('lang').execute()).toEqual([])
  await ask('POST', path, { body: await fillIn(), headers: { ...headers, cookie } })
  expect(await db.selectFrom('conversations').select('lang').execute()).toEqual([{ lang: 'kn' }])
})

test('a conversation that a call of the API begins has mails in English', async () => {
  const { ask, path, db, advance } = await openTalk()
  const headers = headersIn('ta')
  const token = await (await ask('GET', `/api${path}`, { headers })).json()
  advance(5)
  const json = { ...token, reason: 'found', text: 'I have your keys.', reply_to: FINDER }
  const begun = await ask('POST', `/api${path}s`, { headers, json })
  expect(begun.status).toBe(201)
  expect(await db.selectFrom('conversations').select('lang').execute()).toEqual([{ lang: 'en' }])
})

async function openClaimed(lang: Lang) {
  const app = await openTestApp(WITH_MAIL)
  const issuer = await app.signUp()
  const { qr_id } = await insertCode(app.db, issuer.id, UNCLAIMED)
  const form = { owner_name: 'Farhan', contact_phone: '9845012345', email: EMAIL }
  const body = new URLSearchParams(form)
  await app.ask('POST', `/claim?qr=${qr_id}`, { body, headers: headersIn(lang) })
  const code = `${qr_id.slice(0, 4)}-${qr_id.slice(4, 8)}-${qr_id.slice(8)}`
  return { ...app, issuer, qr_id, code }
}

test.each(LANGS)('a claimer’s mails are in the language of the claim: %s', async (lang) => {
  const { issuer, qr_id, code, ...app } = await openClaimed(lang)
  await app.ask('POST', `/api/qr/${qr_id}/undo-claim`, { as: issuer })
  const { claimed, undone } = (await loadCatalogue(lang)).mails
  const mails = (await sentTo(app, EMAIL)).map(readMail)
  expect(mails).toMatchObject([
    { ...inLang(lang), subject: claimed.subject },
    { ...inLang(lang), subject: undone.subject },
  ])
  for (const text of [format(undone.reason, { code }), undone.deleted, undone.again]) {
    expect(mails[1]?.says).toContain(text)
  }
  const left = await app.db.selectFrom('qr_codes').select('claim_lang').execute()
  expect(left).toEqual([{ claim_lang: null }])
})

test.each(LANGS)('and those about an issuer who deletes the account too: %s', async (lang) => {
  const { issuer, code, ...app } = await openClaimed(lang)
  const { email } = issuer
  await sentTo(app, EMAIL)
  await app.ask('POST', '/api/account/deletion', { as: issuer, json: { email } })
  app.advance(7 * 86_400 + 1)
  await removeDeleted(app.deps)
  const { ends, ended } = (await loadCatalogue(lang)).mails
  const mails = (await sentTo(app, EMAIL)).map(readMail)
  expect(mails).toMatchObject([
    { ...inLang(lang), subject: ends.subject },
    { ...inLang(lang), subject: ended.subject },
  ])
  const said = [
    [format(ends.reason, { code }), format(ends.deleted, { days: 7 }), ends.another],
    [format(ended.reason, { code }), ended.deleted, ended.takeOff],
  ]
  said.forEach((texts, n) => {
    for (const text of texts) expect(mails[n]?.says).toContain(text)
  })
})

test.each(LANGS)('the link to a new password is in the language that asked: %s', async (lang) => {
  const app = await openTestApp(WITH_MAIL)
  const owner = await app.signUp()
  const contact = { kind: 'email', email: EMAIL } as const
  const { qr_id } = await registeredChild(app, owner.id, { contact })
  const proven = { email_verified_at: app.deps.clock().toISOString() }
  await app.db.updateTable('accounts').set(proven).where('email', '=', EMAIL).execute()
  const body = new URLSearchParams({ contact: EMAIL })
  const headers = headersIn(lang)
  await app.ask('POST', `/child-register?qr=${qr_id}&forgot=1`, { body, headers })
  const { id } = await app.db
    .selectFrom('password_reset_requests')
    .select('id')
    .executeTakeFirstOrThrow()
  const json = { request_id: id, action: 'approve' }
  // The owner's browser is in another language, which is not asked.
  const approval = { as: owner, json, headers: { 'Accept-Language': 'bn' } }
  await app.ask('POST', '/api/client/password-reset-approve', approval)
  const [mail] = await sentTo(app, EMAIL)
  const { subject, reason, set, once, ignore } = (await loadCatalogue(lang)).mails.resetLink
  const read = readMail(mail as Mail)
  expect(read).toMatchObject({ ...inLang(lang), subject })
  const texts = [reason, set, format(once, { hours: 24 }), ignore, '/reset-password?token=']
  for (const text of texts) expect(read.says).toContain(text)
})
