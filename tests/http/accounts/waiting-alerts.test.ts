import { expect, test } from 'vitest'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { mailedOtp, wayBackIn } from '#tests/support/accounts.ts'
import { openAlerts } from '#tests/support/alerting.ts'

const NEW = 'asha.new@example.in'

/** An account with quiet hours, in which its address changes. */
async function openQuiet() {
  const app = await openAlerts({ env: { REQUIRE_SECOND_FACTOR: 'none' } })
  const { db, ask } = app
  const owner = await app.signUp()
  await changeAlertSettings(db, owner.id, { quietHours: { from: '00:00', to: '23:59' } })
  const change = async () => {
    await ask('POST', '/api/account/email', { as: owner, json: { email: NEW } })
    const json = { otp: mailedOtp(app) }
    const changed = await ask('POST', '/api/account/email/verify', { as: owner, json })
    expect(changed.status).toBe(200)
  }
  const takeBack = async () => {
    const taken = await ask('POST', wayBackIn(app), { headers: { Origin: 'null' } })
    expect(taken.status).toBeLessThan(400)
  }
  const waitingFor = async (event: 'message' | 'security' = 'message') => {
    const rows = await app.rows()
    return rows.filter((row) => row.event === event).map(({ recipient }) => recipient)
  }
  return { ...app, owner, change, takeBack, waitingFor }
}

test('an alert that waits in quiet hours goes to the address that the account has then', async () => {
  const { owner, alert, change, waitingFor } = await openQuiet()
  await alert(owner)
  expect(await waitingFor()).toEqual([owner.email])
  await change()
  expect(await waitingFor()).toEqual([NEW])
})

test('a waiting alert goes nowhere else after the earlier address is given back', async () => {
  const { owner, alert, change, takeBack, waitingFor } = await openQuiet()
  await change()
  await alert(owner)
  expect(await waitingFor()).toEqual([NEW])
  await takeBack()
  expect(await waitingFor()).toEqual([owner.email])
})

test('an alert about the security of the account stays with its first address', async () => {
  const { db, owner, alert, change, waitingFor } = await openQuiet()
  await alert(owner)
  await db.updateTable('outbox').set({ event: 'security' }).execute()
  await change()
  expect(await waitingFor('security')).toContain(owner.email)
})

test('an answer of the support that waits goes to the address that the account has by then', async () => {
  const { ask, db, signUp, change, owner } = await openQuiet()
  await db
    .updateTable('accounts')
    .set({ subscription_plan: 'enterprise' })
    .where('id', '=', owner.id)
    .execute()
  const admin = await signUp({ role: 'admin' })
  const opened = await ask('POST', '/api/support/tickets', {
    as: owner,
    json: { subject: 'Labels', text: 'They print too low.' },
  })
  const { id } = await opened.json()
  const path = `/api/admin/support/tickets/${id}/messages`
  for (const text of ['Which printer is it?', 'And which paper?']) {
    await ask('POST', path, { as: admin, json: { text } })
  }
  const waiting = () =>
    db
      .selectFrom('outbox')
      .innerJoin('conversation_mails', 'outbox_id', 'cause_id')
      .select('recipient')
      .where('side', '=', 'customer')
      .execute()
  await change()
  expect(await waiting()).toEqual([{ recipient: NEW }])
})
