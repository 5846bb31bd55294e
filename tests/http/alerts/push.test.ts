import { expect, onTestFinished, test } from 'vitest'
import { addChannel, listChannels } from '#db/alerts/channels.ts'
import { toPushTarget } from '#domain/alerts/push.ts'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { openConversations } from '#tests/support/conversations.ts'
import { startPushService } from '#tests/support/push-service.ts'
import { trustLoopback } from '#tests/support/trust-loopback.ts'

trustLoopback()

const PUBLIC_URL = 'https://keys.example.in'
const FINDER = 'ravi@example.in'

/** An owner about whose code finders write, with a browser that gets alerts. */
async function openAlerted() {
  const service = await startPushService()
  onTestFinished(service.stop)
  const app = await openConversations({ env: { PUBLIC_URL, ALLOW_PRIVATE_TARGETS: '1' } })
  const { deps, db, owner } = app
  const browser = service.subscribe(vapidKeys(deps.secretKey).publicKey)
  const { subscription } = browser
  const target = toPushTarget(subscription)
  const channel = {
    kind: 'push',
    name: 'Chrome on Android',
    address: target.endpoint,
    target,
  } as const
  await addChannel(db, deps.secretKey, owner.id, channel, deps.clock())
  const pushed = () => expect.poll(() => browser.pushes.map(({ payload }) => payload))
  const kinds = async (account: { id: string } = owner) =>
    (await listChannels(db, deps.secretKey, account.id)).map(({ kind }) => kind)
  return { ...app, service, browser, channel, pushed, kinds }
}

test('a message of a finder is pushed to the owner, without the finder’s contact', async () => {
  const { begin, pushed, service } = await openAlerted()
  const { id } = await begin({ text: 'At the gate', reply_to: FINDER, show_contact: true })
  await pushed().toMatchObject([
    {
      title: expect.stringContaining('I found these keys'),
      body: expect.not.stringContaining(FINDER),
      url: `${PUBLIC_URL}/dashboard?tab=messages&conversation=${id}`,
    },
  ])
  expect(service.refused).toEqual([])
})

test('a browser gets alerts of the account that allowed it last, and of no other', async () => {
  const { deps, db, owner, signUp, channel, kinds } = await openAlerted()
  const next = await signUp()
  const allow = ({ id }: { id: string }) =>
    addChannel(db, deps.secretKey, id, channel, deps.clock())
  await allow(next)
  await allow(next)
  expect([await kinds(owner), await kinds(next)]).toEqual([['email'], ['email', 'push']])
  await allow(owner)
  expect([await kinds(owner), await kinds(next)]).toEqual([['email', 'push'], ['email']])
})

test('a subscription that its browser has ended is removed', async () => {
  const { begin, browser, kinds } = await openAlerted()
  expect(await kinds()).toEqual(['email', 'push'])
  browser.end()
  await begin()
  await expect.poll(() => kinds()).toEqual(['email'])
})

test('a test to a browser that has ended its subscription removes it, and says so', async () => {
  const { ask, owner, db, deps, browser, kinds } = await openAlerted()
  browser.end()
  const [, push] = await listChannels(db, deps.secretKey, owner.id)
  const tested = await ask('POST', `/api/notifications/channels/${push?.id}/test`, { as: owner })
  const { detail } = (await tested.json()) as { detail: string }
  expect([tested.status, detail]).toEqual([
    503,
    'The test did not arrive: The browser has ended it, so this channel was removed',
  ])
  expect(await kinds()).toEqual(['email'])
})
