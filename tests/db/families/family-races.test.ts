import { describe, expect, test } from 'vitest'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { registerChild } from '#db/families/child-registrations.ts'
import { fileResetRequest } from '#db/families/password-resets.ts'
import { decideResetRequest } from '#db/families/reset-decisions.ts'
import { resetPasswordByLink } from '#db/families/reset-links.ts'
import { answerResetQuestion, findResetQuestion } from '#db/families/reset-questions.ts'
import { hashToken } from '#db/secrets.ts'
import type { Contact } from '#domain/accounts/contact.ts'
import { RESET_DECIDED } from '#domain/families/password-reset.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild } from '#tests/support/families.ts'
import { countEach, RACERS, race } from '#tests/support/races.ts'

const NO_DETAILS = {
  city_area: null,
  emergency_contact_name: null,
  emergency_contact_phone: null,
  public_message: null,
}
const CONTACT = { kind: 'mobile', mobile: '+919814012345' } as const
const quietly = async () => {}

async function openFamily() {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const now = app.deps.clock()
  const children = () =>
    db.selectFrom('accounts').selectAll().where('parent_id', '=', owner.id).execute()
  const codes = () => db.selectFrom('qr_codes').selectAll().execute()
  const register = (qrId: string, n: number, contact: Contact) => {
    const child = { name: `Child ${n}`, contact, passwordHash: `hash ${n}`, details: NO_DETAILS }
    return registerChild(db, qrId, { ...child, notice: '1', waits: false }, now, quietly)
  }
  const requests = () => db.selectFrom('password_reset_requests').selectAll().execute()
  return { ...app, owner, now, children, codes, register, requests }
}

describe('a child code', () => {
  test('is registered once, by the account of the child whose name it has', async () => {
    const { db, owner, children, codes, register } = await openFamily()
    const { qr_id } = await insertCode(db, owner.id, CHILD)
    const { won, refused } = await race((n) =>
      register(qr_id, n, { kind: 'email', email: `child${n}@example.in` }),
    )
    expect(won).toHaveLength(1)
    expect(refused).toEqual({ 'conflict: This QR code has already been registered': 19 })
    const [child, ...others] = await children()
    expect(others).toEqual([])
    expect(await codes()).toMatchObject([
      { child_account_id: child?.id, owner_name: child?.name, email: child?.email },
    ])
  })

  test('is registered once by a contact that registers many at once', async () => {
    const { db, owner, children, codes, register } = await openFamily()
    for (let n = 0; n < RACERS; n++) await insertCode(db, owner.id, CHILD)
    const ids = (await codes()).map(({ qr_id }) => qr_id)
    const { won, refused } = await race((n) => register(ids[n] ?? '', n, CONTACT))
    expect(won).toHaveLength(1)
    expect(refused).toEqual({ 'conflict: An account with this contact already exists': 19 })
    expect(await children()).toHaveLength(1)
    expect((await codes()).filter(({ is_child_registered }) => is_child_registered)).toHaveLength(1)
  })

  test('that is deleted while it is registered leaves no account without a code', async () => {
    const { db, owner, now, children, codes, register } = await openFamily()
    const { qr_id } = await insertCode(db, owner.id, CHILD)
    await race(
      async (n): Promise<unknown> =>
        n % 2
          ? deleteQrCode(db, owner, qr_id, now)
          : register(qr_id, n, { kind: 'email', email: `child${n}@example.in` }),
    )
    expect(await codes()).toEqual([])
    expect((await children()).length).toBeLessThanOrEqual(1)
  })
})

describe('a reset', () => {
  async function openReset() {
    const family = await openFamily()
    const { db, owner, now } = family
    const { qr_id, child_account_id } = await registeredChild(family, owner.id, {
      contact: CONTACT,
    })
    const forget = () => fileResetRequest(db, { qrId: qr_id, contact: CONTACT, lang: 'en' }, now)
    const { credential } = await newCaller(family, owner.id)
    const decide = async (n: number, action: 'approve' | 'reject') => {
      const requestId = (await family.requests())[0]?.id ?? ''
      const token = { tokenHash: hashToken(`token ${n}`), canMail: false }
      const decision = { requestId, action, ...token, credential }
      return decideResetRequest(db, owner, decision, now, quietly)
    }
    const reset = (n: number, tokenHash: string) => {
      const link = { tokenHash, passwordHash: `new hash ${n}` }
      return resetPasswordByLink(db, family.deps.secretKey, link, now, quietly)
    }
    const childId = child_account_id ?? ''
    return { ...family, childId, forget, decide, reset }
  }

  test('that is asked for twenty times at once waits once', async () => {
    const { forget, requests } = await openReset()
    expect((await race(forget)).won).toHaveLength(20)
    expect(await requests()).toMatchObject([{ status: 'pending' }])
  })

  test('is decided once, and has one link if it was approved', async () => {
    const { db, forget, decide, requests } = await openReset()
    await forget()
    const { won, refused } = await race((n) => decide(n, n % 2 ? 'approve' : 'reject'))
    expect(refused).toEqual({ [`conflict: ${RESET_DECIDED}`]: 19 })
    expect(await requests()).toMatchObject([{ status: won[0]?.status }])
    const links = await db.selectFrom('password_reset_tokens').selectAll().execute()
    expect(links).toHaveLength(won[0]?.status === 'approved' ? 1 : 0)
    const acts = await db.selectFrom('audit_events').select('action').execute()
    expect(acts).toEqual([{ action: `password_reset.${won[0]?.status}` }])
  })

  test('has a link that sets one password', async () => {
    const { forget, decide, reset, children } = await openReset()
    await forget()
    await decide(7, 'approve')
    const { won } = await race((n) => reset(n, hashToken('token 7')))
    expect(countEach(won)).toEqual({ true: 1, false: 19 })
    expect(await children()).toMatchObject([{ password_hash: `new hash ${won.indexOf(true)}` }])
  })

  test('has a question that is answered once', async () => {
    const { db, now, childId, forget, decide, reset, children, requests } = await openReset()
    await forget()
    await decide(7, 'approve')
    await reset(0, hashToken('token 7'))
    const [child] = await children()
    const question = await findResetQuestion(db, childId)
    if (!child || !question) throw new Error('There is no question')
    const { won, refused } = await race(async (n) => {
      const isMine = n % 2 === 1
      await answerResetQuestion(db, child, question, { isMine, sessionId: undefined }, now)
      return isMine
    })
    expect(refused).toEqual({ 'conflict: This question was answered': 19 })
    expect(await requests()).toMatchObject([{ child_answer: won[0] ? 'confirmed' : 'denied' }])
    const left = await findResetQuestion(db, childId)
    expect(left?.denied_at).toBe(won[0] ? undefined : now.toISOString())
  })
})
