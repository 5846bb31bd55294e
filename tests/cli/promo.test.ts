import { expect, test } from 'vitest'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const LATER = new Date(NOW.getTime() + 60_000)

test('create makes a code that waits for approval, and notes who did it', async () => {
  const { json, listAudit } = openCommandLine()
  const made = await json(['promo', 'create', 'diwali', '--plan', 'premium', '--child-qr', '5'])
  expect(made).toEqual({
    id: expect.any(String),
    code: 'DIWALI',
    description: null,
    subscription_plan: 'premium',
    plan_months: null,
    child_qr_quantity: 5,
    discount_type: null,
    discount_value: 0,
    usage_limit: 100,
    max_uses: 100,
    usage_count: 0,
    used_count: 0,
    usage_percentage: 0,
    expires_at: null,
    expiry_date: null,
    requires_approval: true,
    is_active: true,
    is_expired: false,
    created_at: NOW.toISOString(),
  })
  expect(await listAudit()).toMatchObject([
    { actor: 'command line', action: 'promo.created', subject_id: made.id },
  ])
})

test('create describes the benefit of the code, its users and its end', async () => {
  const { run, json } = openCommandLine()
  const options = ['--child-qr', '1', '--limit', '3', '--no-approval', '--expires', '2026-12-31']
  const { out } = await run(['promo', 'create', 'SLOT', ...options, '--description', ' One more '])
  expect(out).toBe('SLOT gives 1 extra child QR code at once (limit 3)\n')
  expect(await json(['promo', 'list'])).toMatchObject([
    { description: 'One more', expires_at: '2026-12-31T18:30:00.000Z', requires_approval: false },
  ])
})

test.each([
  [['create', 'DIWALI'], 'A promo code must give a plan, child QR codes or a discount'],
  [['create', 'A B', '--plan', 'premium'], 'A promo code has no spaces'],
  [['create', 'ONCE', '--plan', 'premium'], 'This promo code already exists'],
  [
    ['create', 'X', '--plan', 'premium', '--expires', '2026-11-19'],
    '--expires must be in the future',
  ],
  [['toggle', 'NOSUCH'], 'Invalid promo code'],
])('%j is refused with its reason in one line', async (args, reason) => {
  const { run, json } = openCommandLine()
  await run(['promo', 'create', 'once', '--plan', 'premium'])
  expect(await run(['promo', ...args])).toEqual({ code: 1, out: '', err: `driveqr: ${reason}\n` })
  expect(await json(['promo', 'list'])).toHaveLength(1)
})

test('an unknown plan is wrong usage', async () => {
  const { run } = openCommandLine()
  expect(await run(['promo', 'create', 'X', '--plan', 'free'])).toMatchObject({ code: 2, out: '' })
})

test.each([
  [['--plan', 'premium', '--months', '0'], 'It must be a whole number from 1 to 36.'],
  [['--plan', 'premium', '--months', ''], 'It must be a whole number from 1 to 36.'],
  [['--plan', 'premium', '--months', '0x10'], 'It must be a whole number from 1 to 36.'],
  [['--child-qr', ''], 'It must be a whole number from 0 to 1000.'],
  [['--child-qr', '-1'], 'It must be a whole number from 0 to 1000.'],
  [['--child-qr', '1001'], 'It must be a whole number from 0 to 1000.'],
  [['--plan', 'premium', '--limit', 'many'], 'It must be a whole number from 1 to'],
  [['--plan', 'premium', '--limit', '1e3'], 'It must be a whole number from 1 to'],
  [['--child-qr', '5', '--months', '3'], 'error: --months needs --plan'],
])('%j is wrong usage, which names the option', async (args, reason) => {
  const { code, err } = await openCommandLine().run(['promo', 'create', 'X', ...args])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
})

test('list shows the newest first, with the remaining uses of each', async () => {
  const { run } = openCommandLine()
  expect((await run(['promo', 'list'])).out).toContain('There is no promo code yet')
  await run(['promo', 'create', 'OLD', '--plan', 'enterprise', '--expires', '2026-11-20T10:00:30Z'])
  await run(['promo', 'create', 'NEW', '--child-qr', '2', '--no-approval'], { now: LATER })
  const { out } = await run(['promo', 'list'], { now: LATER })
  expect(out).toMatch(/^CODE +GIVES +USED +EXPIRES +APPROVAL +STATE\n/)
  expect(out).toMatch(/\nNEW +2 extra child QR codes +0\/100 +no +active\nOLD +Enterprise plan/)
  expect(out).toMatch(/OLD .* 20 Nov 2026, 3:30 pm Asia\/Kolkata +yes +expired\n/)
})

test('toggle switches a code off and on again', async () => {
  const { run, json, listAudit } = openCommandLine()
  await run(['promo', 'create', 'DIWALI', '--plan', 'premium'])
  expect((await run(['promo', 'toggle', 'diwali'])).out).toBe('DIWALI is inactive\n')
  expect(await json(['promo', 'toggle', 'DIWALI'])).toMatchObject({ is_active: true })
  expect((await listAudit()).map(({ action }) => action)).toEqual([
    'promo.created',
    'promo.toggled',
    'promo.toggled',
  ])
})
