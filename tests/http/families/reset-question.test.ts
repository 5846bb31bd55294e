import { describe, expect, test } from 'vitest'
import { makeExports } from '#actions/accounts/exports.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { mailedOtp, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { CHILD_PASSWORD, registeredChild } from '#tests/support/families.ts'
import { makeSoftwarePasskey } from '#tests/support/software-passkey.ts'
import { storeFile } from '#tests/support/storage.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { storedName } from '#tests/support/things.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

const MOBILE = '9814012345'
const QUESTION = 'Your password was reset by Asha Patil on 20 Nov 2026. Was this you?'
const YES = 'value="yes" name="answer"'

type Device = { cookies: Record<string, string>; bearerToken: string }

/** A child that uploaded a private and a public document before its parent approved a reset. */
async function openFamily({
  email,
  ...options
}: Parameters<typeof openTestApp>[0] & { email?: string } = {}) {
  const app = await openTestApp(options)
  const parent = await app.signUp({ name: 'Asha Patil' })
  const contact = email ? ({ kind: 'email', email } as const) : undefined
  const code = await registeredChild(app, parent.id, contact && { contact })
  const childId = code.child_account_id as string

  /** Signs the child in with a browser that has these cookies. */
  const signIn = async (
    password: string,
    { cookies }: Pick<Device, 'cookies'> = { cookies: {} },
  ): Promise<Device> => {
    const headers = { Cookie: toHeader(cookies), 'Sec-Fetch-Site': 'same-origin' }
    const answer = await post(app, 'login', { contact: email ?? MOBILE, password }, headers)
    expect(answer.status).toBe(200)
    const set = answer.headers.getSetCookie().map((line) => line.split(';')[0]?.split('=') ?? [])
    return {
      cookies: { ...cookies, ...Object.fromEntries(set) },
      bearerToken: answer.body.session_token,
    }
  }
  const open = async (path: string, device: Device) => {
    const answer = await app.ask('GET', path, { headers: { Cookie: toHeader(device.cookies) } })
    return { status: answer.status, html: await answer.text() }
  }
  const respond = async (word: string, device: Device) => {
    const headers = {
      Cookie: toHeader(device.cookies),
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const body = `answer=${word}`
    return app.ask('POST', '/dashboard/password-reset', { headers, body })
  }
  const answer = async (word: string, device: Device) => (await respond(word, device)).status
  const upload = async (as: Device, is_public: boolean) => {
    const fields = { document_type: 'puc', is_public: String(is_public) }
    const body = fileForm(await picture(), fields, 'puc.png')
    const made = await app.ask('POST', `/api/documents/upload/${code.qr_id}`, { as, body })
    expect(made.status).toBe(201)
    return made.json()
  }
  const list = async (as: Device) =>
    (await (await app.ask('GET', `/api/documents/${code.qr_id}`, { as })).json()).documents
  const statusOf = async (path: string, as: { bearerToken: string }) =>
    (await app.ask('GET', path, { as })).status
  /** The parent files a reset for the child, approves it and sets a password with the link. */
  const takeOver = async (password: string) => {
    const json = { qr_id: code.qr_id, contact: email ?? MOBILE }
    await app.ask('POST', '/api/qr/forgot-password', { json })
    const [{ id }] = await requests()
    const approval = { request_id: id, action: 'approve' }
    const path = '/api/client/password-reset-approve'
    const { reset_url } = await (await app.ask('POST', path, { as: parent, json: approval })).json()
    const token = new URL(reset_url).searchParams.get('token')
    app.advance(60)
    expect((await post(app, 'reset-password', { token, password })).status).toBe(200)
    app.advance(60)
  }
  const requests = async () =>
    (await app.ask('GET', '/api/client/password-reset-requests', { as: parent })).json()
  const acts = async () => {
    const rows = await app.db.selectFrom('audit_events').select('action').execute()
    return rows.map(({ action }) => action)
  }
  const tools = { signIn, open, respond, answer, upload, list, statusOf, takeOver, requests, acts }
  return { ...app, parent, code, childId, ...tools }
}

const toHeader = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

describe('after a reset by a link that the code’s owner approved', () => {
  test('exports from before, which have the private documents in them, end', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    await app.upload(phone, false)
    const begun = await app.ask('POST', '/api/account/export', { as: phone })
    const { id } = await begun.json()
    await makeExports(app.deps)
    const file = `/api/account/export/${id}/file`
    expect(await app.statusOf(file, phone)).toBe(200)
    await app.takeOver('the parent’s')
    const intruder = await app.signIn('the parent’s')
    expect(await app.statusOf(file, intruder)).toBe(404)
    await makeExports(app.deps)
    expect(await app.deps.files.beside('exports').list()).toEqual([])
  })

  test('private documents from before stay closed to the holder of the new password', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const secret = await app.upload(phone, false)
    const shown = await app.upload(phone, true)
    await app.takeOver('the parent’s')
    const premium = { subscription_plan: 'enterprise' } as const
    await app.db.updateTable('accounts').set(premium).where('id', '=', app.childId).execute()
    const intruder = await app.signIn('the parent’s')
    const caller = await newCaller(app, app.childId)
    const { key } = await createApiKey(app.db, caller, 'x', new Date(), async () => {})

    for (const as of [intruder, { bearerToken: key }]) {
      expect(await app.statusOf(secret.file_url, as)).toBe(404)
      expect(await app.statusOf(secret.thumbnail_url, as)).toBe(404)
      expect(await app.statusOf(shown.file_url, as)).toBe(200)
      const share = { as, json: { share_method: 'download' } }
      expect((await app.ask('POST', `/api/gallery/share/${secret.id}`, share)).status).toBe(404)
      const show = { as, json: { is_public: true } }
      expect((await app.ask('PATCH', `/api/documents/${secret.id}`, show)).status).toBe(404)
      const all = `/api/documents/${app.code.qr_id}/visibility`
      expect((await app.ask('PUT', all, show)).status).toBe(200)
      expect(await app.statusOf(secret.file_url, as)).toBe(404)
    }
    for (const path of [`/api/documents/${app.code.qr_id}`, `/api/gallery/${app.code.qr_id}`]) {
      const { documents } = await (await app.ask('GET', path, { as: intruder })).json()
      expect(documents.find(({ id }: { id: string }) => id === secret.id)).toMatchObject({
        is_locked: true,
        is_public: false,
        thumbnail_url: null,
      })
    }
    for (const tab of ['documents', 'gallery']) {
      const { html } = await app.open(`/dashboard?tab=${tab}`, intruder)
      expect(html).toContain('Locked')
      expect(html).not.toContain(secret.file_url)
      expect(html).not.toContain(secret.thumbnail_url)
    }
    const dialog = await app.open(`/dashboard?tab=gallery&show=${secret.id}`, intruder)
    expect(dialog.status).toBe(404)
  })

  test('conversations from before stay closed to the holder of the new password', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const { db, childId: account_id, code, deps } = app
    const begin = (text: string) =>
      insertConversation(
        db,
        { account_id, qr_id: code.qr_id },
        {
          created_at: deps.clock().toISOString(),
          messages: [{ text }],
          photo_name: storedName('webp'),
          photo_thumbnail_name: storedName('jpg'),
        },
      )
    const before = await begin('I wait at gate 2.')
    for (const name of [before.photo_name, before.photo_thumbnail_name]) {
      await storeFile(app.dataDir, name ?? '', await picture())
    }
    await app.takeOver('the parent’s')
    const after = await begin('Your keys are here.')
    const intruder = await app.signIn('the parent’s')
    const listed = async (as: Device, query = '') => {
      const answer = await app.ask('GET', `/api/conversations${query}`, { as })
      return (await answer.json()).conversations.map(({ id }: { id: string }) => id)
    }
    const id = before.id
    for (const query of ['', '?status=open', '?search=gate']) {
      expect(await listed(intruder, query)).toEqual(query.includes('gate') ? [] : [after.id])
    }
    const calls = [
      ['GET', `/api/conversations/${id}`],
      ['GET', `/api/conversations/${id}/photo`],
      ['GET', `/api/files/${before.photo_name}`],
      ['GET', `/api/files/${before.photo_thumbnail_name}`],
      ['POST', `/api/conversations/${id}/messages`],
      ['POST', `/api/conversations/${id}/read`],
      ['POST', `/api/conversations/${id}/report`],
      ['DELETE', `/api/conversations/${id}`],
    ] as const
    for (const [method, path] of calls) {
      const json = method === 'POST' ? { text: 'Where are you?', reason: 'spam' } : undefined
      const answer = await app.ask(method, path, { as: intruder, ...(json && { json }) })
      expect([path, answer.status]).toEqual([path, 404])
    }
    const { html } = await app.open('/dashboard?tab=messages', intruder)
    expect(html).toContain('Your private papers and earlier messages are closed')
    expect(html).not.toContain('gate 2')
    const again = await app.signIn('the parent’s', phone)
    expect(await listed(again)).toEqual([after.id])
    expect(await app.answer('yes', again)).toBe(303)
    expect(await listed(again)).toEqual([after.id, id])
    expect(await app.statusOf(`/api/files/${before.photo_thumbnail_name}`, again)).toBe(200)
  })

  test('nothing is said to be closed where nothing is, although things of others are', async () => {
    const app = await openFamily()
    const { db, code, childId, parent, deps } = app
    const begin = (account_id: string, is_deleted: 0 | 1) => {
      const created_at = deps.clock().toISOString()
      return insertConversation(db, { account_id, qr_id: code.qr_id }, { created_at, is_deleted })
    }
    await app.upload(await app.signIn(CHILD_PASSWORD), true)
    await begin(childId, 1)
    await begin(parent.id, 0)
    await app.takeOver('the parent’s')
    await begin(childId, 0)
    const { html } = await app.open('/dashboard', await app.signIn('the parent’s'))
    expect(html).not.toContain('earlier messages are closed')
  })

  test('conversations that are closed are not counted as unread', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const { db, childId: account_id, code, deps } = app
    const begin = () =>
      insertConversation(
        db,
        { account_id, qr_id: code.qr_id },
        { created_at: deps.clock().toISOString(), is_unread: 1, messages: [{ text: 'Hi' }] },
      )
    const unread = async (as: Device) => {
      const answer = await app.ask('GET', '/api/conversations', { as })
      const { html } = await app.open('/dashboard', as)
      const badge = / (\d+) unread/.exec(html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '))?.[1]
      return [(await answer.json()).unread_count, Number(badge ?? 0)]
    }
    await begin()
    expect(await unread(phone)).toEqual([1, 1])
    await app.takeOver('second horse')
    await begin()
    await begin()
    const again = await app.signIn('second horse', phone)
    expect(await unread(again)).toEqual([2, 2])
    await app.answer('yes', again)
    expect(await unread(again)).toEqual([3, 3])
  })

  test('the access that the reset ended is shown on any device, and dismissed on one from before alone', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const caller = await newCaller(app, app.childId)
    await createApiKey(app.db, caller, 'Gate', new Date(), async () => {})
    await app.takeOver('the parent’s')
    const intruder = await app.signIn('the parent’s')
    const child = await app.signIn('the parent’s', phone)
    const ENDED = 'These API keys have ended: “Gate”.'
    const FORM = 'action="/dashboard/ended-access"'
    const dismiss = async (device: Device) => {
      const headers = { Cookie: toHeader(device.cookies), 'Sec-Fetch-Site': 'same-origin' }
      const body = new URLSearchParams({ until: '9999' })
      return (await app.ask('POST', '/dashboard/ended-access', { headers, body })).status
    }
    for (const [device, isOwn] of [
      [intruder, false],
      [child, true],
    ] as const) {
      const { html } = await app.open('/dashboard', device)
      expect([html.includes(ENDED), html.includes(FORM)]).toEqual([true, isOwn])
    }
    expect(await dismiss(intruder)).toBe(403)
    expect((await app.open('/dashboard', child)).html).toContain(ENDED)
    expect(await dismiss(child)).toBe(303)
    expect((await app.open('/dashboard', child)).html).not.toContain(ENDED)
  })

  test('the answer No lists the access that it ended too', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    await app.takeOver('the parent’s')
    const caller = await newCaller(app, app.childId)
    await createApiKey(app.db, caller, 'Intruder', new Date(), async () => {})
    const child = await app.signIn('the parent’s', phone)
    expect(await app.answer('no', child)).toBe(303)
    const { html } = await app.open('/dashboard', child)
    expect(html).toContain('These API keys have ended: “Intruder”.')
  })

  test('a document that is uploaded afterwards is open', async () => {
    const app = await openFamily()
    await app.upload(await app.signIn(CHILD_PASSWORD), false)
    await app.takeOver('second horse')
    const device = await app.signIn('second horse')
    const later = await app.upload(device, false)
    expect(later).toMatchObject({ is_locked: false })
    expect(await app.statusOf(later.file_url, device)).toBe(200)
  })

  test('a device that signed in before is asked, and its Yes opens the documents', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const secret = await app.upload(phone, false)
    await app.takeOver('second horse')
    const again = await app.signIn('second horse', phone)
    const { html } = await app.open('/dashboard', again)
    expect(html).toContain(QUESTION)
    expect(html).toContain(YES)
    expect(await app.requests()).toMatchObject([{ child_answer: 'asked' }])
    expect(await app.answer('perhaps', again)).toBe(400)
    expect(await app.answer('yes', again)).toBe(303)
    expect(await app.statusOf(secret.file_url, again)).toBe(200)
    expect((await app.open('/dashboard', again)).html).not.toContain('Was this you?')
    expect(await app.requests()).toMatchObject([{ child_answer: 'confirmed' }])
    expect(await app.acts()).toContain('password_reset.confirmed')
    expect(await app.answer('no', again)).toBe(404)
  })

  test('a device that signed in afterwards is told where to answer, and is refused', async () => {
    const app = await openFamily()
    const secret = await app.upload(await app.signIn(CHILD_PASSWORD), false)
    await app.takeOver('second horse')
    const intruder = await app.signIn('second horse')
    const { html } = await app.open('/dashboard', intruder)
    expect(html).toContain(QUESTION)
    expect(html).toContain('on a device that you were logged in on before')
    expect(html).not.toContain(YES)
    for (const word of ['yes', 'no']) expect(await app.answer(word, intruder)).toBe(403)
    expect(await app.statusOf(secret.file_url, intruder)).toBe(404)
  })

  test('a device that signed in afterwards adds no factor, which would shut the child out', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    await app.takeOver('second horse')
    const intruder = await app.signIn('second horse')
    const add = async (path: string, as: Device, json?: object) => {
      const headers = { Cookie: toHeader(as.cookies) }
      const answer = await app.ask('POST', `/api/account/${path}`, { as, json, headers })
      return { status: answer.status, body: await answer.json() }
    }
    const detail = expect.stringContaining('on a device that you used before the reset')
    const passkey = { name: 'x', ...makeSoftwarePasskey().create({ challenge: 'x' }) }
    for (const [path, json] of [
      ['totp'],
      ['totp/verify', { code: '123456' }],
      ['passkeys/options'],
      ['passkeys', passkey],
    ] as const) {
      expect(await add(path, intruder, json)).toEqual({ status: 403, body: { detail } })
    }
    const own = await app.signIn('second horse', phone)
    expect((await add('totp', own)).status).toBe(200)
    expect((await add('passkeys/options', own)).status).toBe(200)
  })

  test('an account that must have a factor sets it up all the same', async () => {
    const app = await openFamily({ env: { REQUIRE_SECOND_FACTOR: 'none' } })
    await app.takeOver('second horse')
    const required = { ...app.deps.config, requireSecondFactor: 'all' } as const
    Object.assign(app.deps, { config: required })
    const { bearerToken } = await app.signIn('second horse')
    const begun = await app.ask('POST', '/api/account/totp', { as: { bearerToken } })
    expect(begun.status).toBe(200)
  })

  test('a second reset does not make the device of the first one a known one', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const secret = await app.upload(phone, false)
    await app.takeOver('first of two')
    const intruder = await app.signIn('first of two')
    const between = await app.upload(intruder, false)
    await app.takeOver('second of two')
    const again = await app.signIn('second of two', intruder)
    expect(await app.answer('yes', again)).toBe(403)
    for (const { file_url } of [secret, between])
      expect(await app.statusOf(file_url, again)).toBe(404)
    const child = await app.signIn('second of two', phone)
    expect(await app.answer('yes', child)).toBe(303)
    for (const { file_url } of [secret, between])
      expect(await app.statusOf(file_url, child)).toBe(200)
  })

  test('No keeps the documents closed, signs out everybody else, and says how to go on', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const secret = await app.upload(phone, false)
    await app.takeOver('second horse')
    const intruder = await app.signIn('second horse')
    const child = await app.signIn('second horse', phone)
    expect(await app.answer('no', child)).toBe(303)
    expect(await app.statusOf('/api/auth/me', intruder)).toBe(401)
    expect(await app.statusOf('/api/auth/me', child)).toBe(200)
    expect(await app.statusOf(secret.file_url, child)).toBe(404)
    const { html } = await app.open('/dashboard', child)
    expect(html).toContain('You did not ask for the password reset by Asha Patil on 20 Nov 2026.')
    expect(html).toContain('Ask the owner of your QR code for a new link')
    expect(html).not.toContain(YES)
    expect(await app.answer('yes', child)).toBe(409)
    expect(await app.requests()).toMatchObject([{ child_answer: 'denied' }])
    expect(await app.acts()).toContain('password_reset.denied')

    await app.takeOver('third horse')
    const later = await app.signIn('third horse', phone)
    expect(await app.answer('yes', later)).toBe(303)
    expect(await app.statusOf(secret.file_url, later)).toBe(200)
  })

  test('Yes and No at once have one winner', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    const secret = await app.upload(phone, false)
    await app.takeOver('second horse')
    const child = await app.signIn('second horse', phone)
    const words = Array.from({ length: 20 }, (_, n) => (n % 2 ? 'yes' : 'no'))
    const statuses = await Promise.all(words.map((word) => app.answer(word, child)))
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409 || status === 404)).toHaveLength(19)
    const isOpen = words[statuses.indexOf(303)] === 'yes'
    expect(await app.statusOf(secret.file_url, child)).toBe(isOpen ? 200 : 404)
  })

  test('a proof of the e-mail by a one-time code opens the documents on any device', async () => {
    const app = await openFamily({ ...WITH_MAIL, email: 'gurleen@example.in' })
    const secret = await app.upload(await app.signIn(CHILD_PASSWORD), false)
    await app.takeOver('second horse')
    const intruder = await app.signIn('second horse')
    const { html } = await app.open('/dashboard', intruder)
    expect(html).toContain('or log in with a one-time code from your email')
    const contact = 'gurleen@example.in'
    await post(app, 'send-login-otp', { contact })
    const { body } = await post(app, 'login-otp', { contact, otp: mailedOtp(app) })
    expect(await app.statusOf(secret.file_url, { bearerToken: body.session_token })).toBe(200)
    expect(await app.statusOf('/api/auth/me', intruder)).toBe(401)
    expect(await app.requests()).toMatchObject([{ child_answer: 'confirmed' }])
  })

  test('a child without private documents is asked on its own device alone', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    await app.upload(phone, true)
    await app.takeOver('second horse')
    const { html } = await app.open('/dashboard', await app.signIn('second horse'))
    expect(html).not.toContain('Was this you?')
    const again = await app.signIn('second horse', phone)
    const asked = await app.open('/dashboard', again)
    expect(asked.html).toContain(QUESTION)
    expect(asked.html).not.toContain('Your private papers')
    const answered = await app.respond('yes', again)
    expect(answered.status).toBe(303)
    const { html: thanks } = await app.open(answered.headers.get('Location') ?? '', again)
    expect(thanks).toContain('Thank you.')
    expect(thanks).not.toContain('private papers')
  })

  test('a device of a reset before the first upload cannot answer for a later one', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    await app.takeOver('second horse')
    const intruder = await app.signIn('second horse')
    const child = await app.signIn('second horse', phone)
    const secret = await app.upload(child, false)
    await app.takeOver('third horse')
    const again = await app.signIn('third horse', intruder)
    expect(await app.answer('yes', again)).toBe(403)
    expect(await app.statusOf(secret.file_url, again)).toBe(404)
    const own = await app.signIn('third horse', phone)
    expect(await app.answer('yes', own)).toBe(303)
    expect(await app.statusOf(secret.file_url, own)).toBe(200)
  })

  test('the owner reads on the request that the child was asked, and the child’s answer', async () => {
    const app = await openFamily()
    const phone = await app.signIn(CHILD_PASSWORD)
    await app.upload(phone, false)
    await app.takeOver('second horse')
    const owner = { cookies: { driveqr: app.parent.cookie.split('=')[1] ?? '' }, bearerToken: '' }
    const tab = '/dashboard?tab=password-requests'
    expect((await app.open(tab, owner)).html).toContain('Asked whether it was them; no answer yet')
    await app.answer('yes', await app.signIn('second horse', phone))
    expect((await app.open(tab, owner)).html).toContain('Confirmed that it was them')
  })

  test('a locked document can be deleted', async () => {
    const app = await openFamily()
    const secret = await app.upload(await app.signIn(CHILD_PASSWORD), false)
    await app.takeOver('second horse')
    const as = await app.signIn('second horse')
    expect((await app.ask('DELETE', `/api/documents/${secret.id}`, { as })).status).toBe(200)
    expect(await app.list(as)).toEqual([])
  })
})
