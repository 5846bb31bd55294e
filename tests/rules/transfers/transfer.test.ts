import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { formatQrId, makeQrId } from '#domain/codes/qr-id.ts'
import { assertConfirmed, assertTransferable, transferProblem } from '#domain/transfers/transfer.ts'
import { textOf } from '#tests/support/refusals.ts'

const qr_id = makeQrId(randomBytes)
const CODE = { qr_id, vehicle_registration: 'MH12QX4827' }

test.each(['MH 12 QX 4827', 'mh12qx4827', 'MH-12-QX-4827', formatQrId(qr_id), qr_id.toLowerCase()])(
  'a transfer is confirmed by the plate or the code, as “%s”',
  (typed) => {
    expect(() => assertConfirmed(typed, CODE)).not.toThrow()
  },
)

test.each(['', ' ', 'MH 12 QX 4828', '7K3M-Q9WD-4XT0', 'yes'])('and not by “%s”', (typed) => {
  expect(() => assertConfirmed(typed, CODE)).toThrow('Type the number plate as above')
  const blank = { ...CODE, vehicle_registration: null }
  expect(() => assertConfirmed(typed, blank)).toThrow('Type the code as above')
})

test.each(['', 'meenakshi', 'a@b', 'a@example.in, b@example.in'])(
  'a transfer goes to one address, not to “%s”',
  (email) => {
    const problem = textOf(transferProblem({ email, include_documents: false }))
    expect(problem).toBe('Please enter a valid email address')
  },
)

const OPEN = {
  qr_type: 'normal',
  is_claimed: 1,
  claimed_at: null,
  stopped_by_report: null,
  hold_until: null,
}

test.each<[string, Partial<typeof OPEN> | object, string | undefined]>([
  ['with contact details', {}, undefined],
  ['of a child that nobody has registered', { qr_type: 'child', is_claimed: 0 }, undefined],
  [
    'that nobody has claimed',
    { is_claimed: 0 },
    'Nobody has claimed or registered this QR code yet',
  ],
  [
    'that a claimer holds',
    { claimed_at: '2026-11-19T10:00:00.000Z' },
    'This QR code has already been claimed',
  ],
  [
    'that a moderator switched off',
    { stopped_by_report: 'r' },
    'This QR code was deactivated by a moderator',
  ],
  [
    'that a moderator holds',
    { hold_until: '2026-11-20T10:00:01.000Z' },
    'This QR code is being looked at',
  ],
  ['that a moderator held until now', { hold_until: '2026-11-20T10:00:00.000Z' }, undefined],
])('a code %s', (_, change, refusal) => {
  const transfer = () =>
    assertTransferable({ ...OPEN, ...change }, new Date('2026-11-20T10:00:00Z'))
  if (refusal) expect(transfer).toThrow(refusal)
  else expect(transfer).not.toThrow()
})
