import { expect, test } from 'vitest'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'
import { insertCode } from '#tests/support/codes.ts'

async function openReported() {
  const commandLine = openCommandLine()
  const owner = await commandLine.addAccount({ email: 'ravi@example.in' })
  const { id, qr_id } = await commandLine.withDatabase(async ({ db }) => {
    const { qr_id } = await insertCode(db, owner.id, { qr_id: '7K3MQ9WD4XTP' })
    const report = { reason: 'fraud', text: 'It asks to pay first.' } as const
    return { ...(await createPageReport(db, qr_id, report, NOW)), qr_id }
  })
  const code = () =>
    commandLine.withDatabase(async ({ db }) =>
      db
        .selectFrom('qr_codes')
        .select(['is_active', 'stopped_by_report'])
        .where('qr_id', '=', qr_id)
        .executeTakeFirst(),
    )
  return { ...commandLine, id, qr_id, code }
}

test('a report is listed, decided and opened again, and it is noted who did it', async () => {
  const { run, json, listAudit, id, qr_id, code } = await openReported()
  expect((await run(['report', 'list'])).out).toMatch(
    new RegExp(
      `${id}\\s+page\\s+Fraud\\s+7K3M-Q9WD-4XTP\\s+20 Nov 2026, 3:30 pm Asia/Kolkata\\s+open`,
    ),
  )
  expect(await json(['report', 'list', '--status', 'open'])).toMatchObject([
    { id, kind: 'page', qr_id, reason: 'fraud', status: 'open', snapshot: { images: [] } },
  ])
  expect((await run(['report', 'list', '--status', 'decided'])).out).toBe(
    'There is no decided report\n',
  )
  expect(await run(['report', 'decide', id, 'deactivate_code'])).toEqual({
    code: 0,
    out: 'QR code deactivated (7K3M-Q9WD-4XTP)\n',
    err: '',
  })
  expect(await code()).toEqual({ is_active: 0, stopped_by_report: id })
  expect(await run(['report', 'reopen', id])).toEqual({
    code: 0,
    out: 'The report is open again. Its code 7K3M-Q9WD-4XTP is active\n',
    err: '',
  })
  expect(await code()).toEqual({ is_active: 1, stopped_by_report: null })
  expect(await json(['report', 'decide', id, 'dismiss'])).toMatchObject({
    status: 'decided',
    action: 'dismiss',
    decided_by: null,
    decided_at: NOW.toISOString(),
  })
  const acts = (await listAudit()).filter(({ subject_id }) => subject_id === id)
  expect(acts.map(({ actor, action }) => [actor, action])).toEqual([
    ['command line', 'report.decided'],
    ['command line', 'report.reopened'],
    ['command line', 'report.decided'],
  ])
})

test('the command line blocks an account, and opening the report again leaves it blocked', async () => {
  const { run, id, withDatabase } = await openReported()
  const blocked = await run(['report', 'decide', id, 'block_account'])
  expect(blocked.out).toBe('Account blocked (7K3M-Q9WD-4XTP)\n')
  expect((await run(['report', 'reopen', id])).code).toBe(0)
  const state = await withDatabase(async ({ db }) =>
    db.selectFrom('accounts').select('is_active').executeTakeFirst(),
  )
  expect(state).toEqual({ is_active: 0 })
})

test.each([
  [['decide', 'none', 'dismiss'], 'Report not found'],
  [['decide', 'ID', 'hide_popup_image'], 'There is no popup image of this report any more'],
  [['reopen', 'ID'], 'This report is open'],
  [['reopen', 'none'], 'Report not found'],
])('%j is refused with its reason in one line', async (args, reason) => {
  const { run, id } = await openReported()
  const named = args.map((arg) => (arg === 'ID' ? id : arg))
  expect(await run(['report', ...named])).toEqual({ code: 1, out: '', err: `driveqr: ${reason}\n` })
})

test('an unknown action is wrong usage', async () => {
  const { run, id } = await openReported()
  const { code, err } = await run(['report', 'decide', id, 'burn'])
  expect(code).toBe(2)
  expect(err).toContain('Allowed choices are dismiss, block_sender')
})
