import { describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { deleteQrCode, updateQrCode } from '#db/codes/qr-changes.ts'
import {
  countOpenReports,
  type ListedReport,
  listReports,
} from '#db/conversations/moderated-reports.ts'
import { decideReport, reopenReport } from '#db/conversations/report-decisions.ts'
import { removeDecidedReports } from '#db/conversations/retention.ts'
import { deletePopupImage, togglePopupImage } from '#db/papers/popup-images.ts'
import type { ReportAction } from '#domain/conversations/report.ts'
import { HELD } from '#tests/support/codes.ts'
import { race } from '#tests/support/races.ts'
import { insertImage, openReports } from '#tests/support/reports.ts'
import { setAccount, setCode } from '#tests/support/rows.ts'

async function openDecisions() {
  const app = await openReports()
  const { db, deps, qr_id } = app
  const decide = (
    id: string,
    action: ReportAction,
    by: 'owner' | 'moderator' | 'admin' = 'moderator',
  ) => decideReport(db, { actor_id: app[by].id, actor: app[by].name }, id, action, deps.clock())
  const reopen = (id: string) => reopenReport(db, COMMAND_LINE, id, deps.clock())
  const code = () =>
    db
      .selectFrom('qr_codes')
      .select(['is_active', 'stopped_by_report'])
      .where('qr_id', '=', qr_id)
      .executeTakeFirst()
  const images = () =>
    db.selectFrom('popup_images').select(['is_active', 'hidden_by_report']).execute()
  const acts = () => db.selectFrom('audit_events').selectAll().execute()
  return { ...app, decide, reopen, code, images, acts }
}

const DECIDED = 'This report has already been decided'

describe('a decision', () => {
  test('dismisses a report, records the moderator and the time, and changes nothing else', async () => {
    const { reportPage, decide, moderator, code, images, acts, deps } = await openDecisions()
    const id = await reportPage()
    const report = await decide(id, 'dismiss')
    expect(report).toMatchObject({
      status: 'decided',
      action: 'dismiss',
      decider_name: 'Kavita Joshi',
      decided_at: deps.clock().toISOString(),
    })
    expect(await code()).toEqual({ is_active: 1, stopped_by_report: null })
    expect(await images()).toEqual([{ is_active: 1, hidden_by_report: null }])
    expect(await acts()).toMatchObject([
      { action: 'report.decided', actor_id: moderator.id, subject_id: id },
    ])
  })

  test('hides the images that the page showed, and no others', async () => {
    const { reportPage, decide, image, acts, db, deps, owner, qr_id } = await openDecisions()
    const id = await reportPage()
    const later = await insertImage({ db, deps }, owner)
    await decide(id, 'hide_popup_image')
    const rows = await db.selectFrom('popup_images').selectAll().execute()
    const states = rows.map(({ id: of, is_active, hidden_by_report }) => [
      of,
      is_active,
      hidden_by_report,
    ])
    expect(new Set(states)).toEqual(
      new Set([
        [image.id, 0, id],
        [later.id, 1, null],
      ]),
    )
    const [act] = await acts()
    expect([act?.before, act?.after].map((json) => JSON.parse(json ?? ''))).toEqual([
      { code: qr_id, decision: null, hidden_images: 0 },
      { code: qr_id, decision: 'hide_popup_image', hidden_images: 1 },
    ])
  })

  test('switches the code off', async () => {
    const { reportPage, decide, code, acts } = await openDecisions()
    const id = await reportPage()
    expect(await decide(id, 'deactivate_code')).toMatchObject({ is_code_active: false })
    expect(await code()).toEqual({ is_active: 0, stopped_by_report: id })
    const [act] = await acts()
    expect(JSON.parse(act?.before ?? '')).toMatchObject({ is_active: true })
    expect(JSON.parse(act?.after ?? '')).toMatchObject({ is_active: false })
  })

  test('blocks the account of the page, and ends its sessions', async () => {
    const { reportPage, decide, owner, db, acts } = await openDecisions()
    const id = await reportPage()
    await decide(id, 'block_account', 'admin')
    const account = db.selectFrom('accounts').select('is_active').where('id', '=', owner.id)
    expect(await account.executeTakeFirst()).toEqual({ is_active: 0 })
    const sessions = db.selectFrom('sessions').selectAll().where('account_id', '=', owner.id)
    expect(await sessions.execute()).toEqual([])
    const subjects = (await acts()).map(({ action, subject_id }) => [action, subject_id])
    expect(new Set(subjects)).toEqual(
      new Set([
        ['account.blocked', owner.id],
        ['report.decided', id],
      ]),
    )
  })

  test.each<ReportAction>(['dismiss', 'hide_popup_image', 'deactivate_code', 'block_account'])(
    'to %s is made once, however many moderators decide at once',
    async (action) => {
      const { reportPage, decide, acts } = await openDecisions()
      const id = await reportPage()
      const { won, refused } = await race((n) => decide(id, n % 2 ? 'dismiss' : action, 'admin'))
      expect(won).toHaveLength(1)
      expect(refused).toEqual({ [`conflict: ${DECIDED}`]: 19 })
      const decisions = (await acts()).filter((act) => act.action === 'report.decided')
      expect(decisions).toHaveLength(1)
    },
  )
})

describe('a decision is refused', () => {
  test('to everybody who is no moderator any more', async () => {
    const { reportPage, decide, moderator, admin, db } = await openDecisions()
    const id = await reportPage()
    const refusal = { kind: 'forbidden', message: 'Moderator access required' }
    await expect(decide(id, 'dismiss', 'owner')).rejects.toMatchObject(refusal)
    await setAccount(db, moderator.id, { role: 'client' })
    await expect(decide(id, 'dismiss')).rejects.toMatchObject(refusal)
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', admin.id).execute()
    await expect(decide(id, 'dismiss', 'admin')).rejects.toMatchObject(refusal)
  })

  test('when a moderator would block an account, or an admin one above them', async () => {
    const { reportPage, decide, owner, db, code } = await openDecisions()
    const id = await reportPage()
    await expect(decide(id, 'block_account')).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'Admin access required',
    })
    await setAccount(db, owner.id, { role: 'super_admin' })
    await expect(decide(id, 'block_account', 'admin')).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'The permissions of a super admin cannot be changed',
    })
    expect((await listReports(db)).reports).toMatchObject([{ status: 'open', action: null }])
    expect(await code()).toMatchObject({ is_active: 1 })
  })

  test('to the owner of the page', async () => {
    const { reportPage, decide, owner, db } = await openDecisions()
    const id = await reportPage()
    await db.updateTable('accounts').set({ role: 'moderator' }).where('id', '=', owner.id).execute()
    await expect(decide(id, 'dismiss', 'owner')).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'Another moderator must decide a report about your own page',
    })
  })

  test('to the owner of a child code, because the owner’s images are on the page of the child user', async () => {
    const { reportPage, decide, moderator, qr_id, db, signUp, reportTalk } = await openDecisions()
    const child = await signUp({ parent_id: moderator.id })
    await db
      .updateTable('qr_codes')
      .set({ owner_id: moderator.id, qr_type: 'child', is_child_registered: 1 })
      .set({ child_account_id: child.id })
      .where('qr_id', '=', qr_id)
      .execute()
    const id = await reportPage()
    await expect(decide(id, 'dismiss')).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'Another moderator must decide a report about your own page',
    })
    expect(await decide(id, 'dismiss', 'admin')).toMatchObject({ status: 'decided' })
    expect(await decide(await reportTalk(), 'dismiss')).toMatchObject({ status: 'decided' })
  })

  test.each(['admin', 'super_admin'] as const)(
    'to a moderator about the page of one who is %s, and not to an admin',
    async (role) => {
      const { reportPage, reportTalk, decide, owner, db, code } = await openDecisions()
      await db.updateTable('accounts').set({ role }).where('id', '=', owner.id).execute()
      const [id, talk] = [await reportPage(), await reportTalk()]
      for (const action of ['dismiss', 'hide_popup_image', 'deactivate_code'] as const) {
        await expect(decide(id, action)).rejects.toMatchObject({
          kind: 'forbidden',
          message: 'An admin must decide a report about the page of an admin',
        })
      }
      expect(await code()).toEqual({ is_active: 1, stopped_by_report: null })
      expect(await decide(id, 'deactivate_code', 'admin')).toMatchObject({ status: 'decided' })
      // A finder's message to them is no page of theirs.
      expect(await decide(talk, 'dismiss')).toMatchObject({ status: 'decided' })
    },
  )

  test('when a conversation gets the act of a page', async () => {
    const { reportTalk, decide } = await openDecisions()
    const id = await reportTalk()
    for (const action of ['hide_popup_image', 'deactivate_code', 'block_account'] as const) {
      await expect(decide(id, action, 'admin')).rejects.toMatchObject({
        kind: 'invalid',
        message:
          'A report about a conversation can be dismissed or answered, or its sender blocked',
      })
    }
    expect(await decide(id, 'dismiss')).toMatchObject({ status: 'decided' })
  })

  test('about an image that was deleted, and about a code that was', async () => {
    const { reportPage, decide, owner, image, qr_id, db, deps } = await openDecisions()
    const id = await reportPage()
    await deletePopupImage(db, { ownerId: owner.id }, image.id, deps.clock())
    await expect(decide(id, 'hide_popup_image')).rejects.toMatchObject({
      kind: 'conflict',
      message: 'There is no popup image of this report any more',
    })
    await deleteQrCode(db, owner, qr_id, deps.clock())
    await expect(decide(id, 'deactivate_code')).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This QR code was deleted',
    })
    const { snapshot } = await decide(id, 'dismiss')
    expect(snapshot).toMatchObject({ fields: { public_message: 'Pay first.' } })
  })

  test('about a code that is the decider’s own by now', async () => {
    const { reportPage, decide, admin, qr_id, db } = await openDecisions()
    const id = await reportPage()
    await setCode(db, { qr_id }, { owner_id: admin.id })
    for (const action of ['deactivate_code', 'block_account'] as const) {
      await expect(decide(id, action, 'admin')).rejects.toMatchObject({ kind: 'forbidden' })
    }
  })

  test('when it would block the issuer of a code for the words of its claimer', async () => {
    const { reportPage, decide, qr_id, db } = await openDecisions()
    await db.updateTable('qr_codes').set(HELD).where('qr_id', '=', qr_id).execute()
    const id = await reportPage()
    await expect(decide(id, 'block_account', 'admin')).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This QR code was claimed by somebody without an account',
    })
    expect(await decide(id, 'deactivate_code', 'admin')).toMatchObject({ is_code_active: false })
  })
})

describe('a report that is opened again', () => {
  test.each([
    ['hide_popup_image', { is_active: 1, hidden_by_report: null }],
    ['deactivate_code', { is_active: 1, stopped_by_report: null }],
  ] as const)('after %s is so once, however many do it at once', async (action, before) => {
    const { reportPage, decide, reopen, code, images, acts } = await openDecisions()
    const id = await reportPage()
    await decide(id, action)
    const { won, refused } = await race(() => reopen(id))
    expect([won.length, refused]).toEqual([1, { 'conflict: This report is open': 19 }])
    expect(action === 'deactivate_code' ? [await code()] : await images()).toEqual([before])
    const reopened = (await acts()).filter((act) => act.action === 'report.reopened')
    expect(reopened).toHaveLength(1)
  })

  test('has its code and its images switched on', async () => {
    const { reportPage, decide, reopen, code, images, acts } = await openDecisions()
    const [first, second] = [await reportPage(), await reportPage()]
    await decide(first, 'deactivate_code')
    await decide(second, 'hide_popup_image')
    expect(await reopen(first)).toMatchObject({ status: 'open', action: null, decided_at: null })
    await reopen(second)
    expect(await code()).toEqual({ is_active: 1, stopped_by_report: null })
    expect(await images()).toEqual([{ is_active: 1, hidden_by_report: null }])
    const reopened = (await acts()).filter(({ action }) => action === 'report.reopened')
    expect(reopened.map(({ actor }) => actor)).toEqual(['command line', 'command line'])
    await expect(reopen(first)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This report is open',
    })
  })

  test('leaves off what another decision keeps off', async () => {
    const { reportPage, decide, reopen, code, images } = await openDecisions()
    const [a, b, c, d] = [
      await reportPage(),
      await reportPage(),
      await reportPage(),
      await reportPage(),
    ]
    await decide(a, 'deactivate_code')
    await decide(b, 'deactivate_code')
    await decide(c, 'hide_popup_image')
    await decide(d, 'hide_popup_image')
    await reopen(b)
    await reopen(d)
    expect(await code()).toEqual({ is_active: 0, stopped_by_report: a })
    expect(await images()).toEqual([{ is_active: 0, hidden_by_report: c }])
    await reopen(a)
    await reopen(c)
    expect(await code()).toEqual({ is_active: 1, stopped_by_report: null })
    expect(await images()).toEqual([{ is_active: 1, hidden_by_report: null }])
  })

  test('leaves off what its owner had switched off, which they may switch on then', async () => {
    const { reportPage, decide, reopen, code, images, db, deps, owner, image, qr_id } =
      await openDecisions()
    const [first, second] = [await reportPage(), await reportPage()]
    const rules = { secretKey: deps.secretKey, now: deps.clock() }
    const set = (is_active: boolean) =>
      updateQrCode(db, owner, qr_id, { fields: {}, is_active }, rules)
    const toggle = () =>
      togglePopupImage(db, { ownerId: owner.id }, image.id, { now: deps.clock() })
    await set(false)
    await toggle()
    await decide(first, 'deactivate_code')
    await decide(second, 'hide_popup_image')
    await expect(set(true)).rejects.toThrow('deactivated by a moderator')
    await expect(toggle()).rejects.toThrow('hidden by a moderator')
    await reopen(first)
    await reopen(second)
    expect(await code()).toEqual({ is_active: 0, stopped_by_report: null })
    expect(await images()).toEqual([{ is_active: 0, hidden_by_report: null }])
    expect(await set(true)).toMatchObject({ is_active: true })
    expect(await toggle()).toMatchObject({ is_active: true })
  })

  test.each([
    ['first', 0, 1],
    ['last', 1, 0],
  ] as const)(
    'switches on the parts that its owner had on, also when the earlier of two is opened %s',
    async (_, one, other) => {
      const { reportPage, decide, reopen, code, images } = await openDecisions()
      const stopping = [await reportPage(), await reportPage()]
      const hiding = [await reportPage(), await reportPage()]
      for (const id of stopping) await decide(id, 'deactivate_code')
      for (const id of hiding) await decide(id, 'hide_popup_image')
      for (const n of [one, other]) {
        await reopen(stopping[n] ?? '')
        await reopen(hiding[n] ?? '')
      }
      expect(await code()).toEqual({ is_active: 1, stopped_by_report: null })
      expect(await images()).toEqual([{ is_active: 1, hidden_by_report: null }])
    },
  )

  test('shows of a decision nothing more than it did before', async () => {
    const { reportPage, decide } = await openDecisions()
    const id = await reportPage()
    const { snapshot } = await decide(id, 'deactivate_code')
    expect(Object.keys(snapshot).sort()).toEqual(['fields', 'images', 'messages'])
  })

  test('may be about a code that was deleted meanwhile, and leaves an account blocked', async () => {
    const { reportPage, decide, reopen, owner, qr_id, db, deps } = await openDecisions()
    const [first, second] = [await reportPage(), await reportPage()]
    await decide(first, 'deactivate_code')
    await decide(second, 'block_account', 'admin')
    await deleteQrCode(db, owner, qr_id, deps.clock())
    expect(await reopen(first)).toMatchObject({ status: 'open', code: 'deleted' })
    expect(await reopen(second)).toMatchObject({ status: 'open' })
    const account = db.selectFrom('accounts').select('is_active').where('id', '=', owner.id)
    expect(await account.executeTakeFirst()).toEqual({ is_active: 0 })
  })
})

describe('the list of reports', () => {
  test('is counted, newest first, by status and page', async () => {
    const { reportPage, reportTalk, decide, db, qr_id } = await openDecisions()
    const first = await reportPage()
    const second = await reportTalk()
    await db
      .updateTable('reports')
      .set({ created_at: '2030-01-01T00:00:00.000Z' })
      .where('id', '=', second)
      .execute()
    const ids = ({ reports }: { reports: ListedReport[] }) => reports.map(({ id }) => id)
    expect(ids(await listReports(db))).toEqual([second, first])
    const page = await listReports(db, { status: 'open', limit: 1, offset: 1 })
    expect([ids(page), page.total_count]).toEqual([[first], 2])
    await decide(first, 'dismiss')
    expect(ids(await listReports(db, { status: 'open' }))).toEqual([second])
    expect(ids(await listReports(db, { status: 'decided' }))).toEqual([first])
    expect(await countOpenReports(db)).toBe(1)
    const [talk] = (await listReports(db, { status: 'open' })).reports
    expect(talk).toMatchObject({
      kind: 'conversation',
      qr_id,
      snapshot: { place: 'Level B2', messages: [{ from: 'finder', text: 'I wait for you.' }] },
    })
  })

  test('says what became of the code since', async () => {
    const { reportPage, db, qr_id, owner, deps } = await openDecisions()
    await reportPage()
    const code = async () => (await listReports(db)).reports[0]?.code
    expect(await code()).toBe('there')
    await db.updateTable('qr_codes').set(HELD).where('qr_id', '=', qr_id).execute()
    expect(await code()).toBe('held')
    const free = { claimed_at: null }
    await db.updateTable('qr_codes').set(free).where('qr_id', '=', qr_id).execute()
    await deleteQrCode(db, owner, qr_id, deps.clock())
    expect(await code()).toBe('deleted')
  })
})

describe('a decided report', () => {
  const DAY_MS = 86_400_000

  test('is removed after 90 days, unless it keeps something switched off', async () => {
    const { reportPage, decide, reopen, db, deps } = await openDecisions()
    const [open, dismissed, hiding, stopping] = [
      await reportPage(),
      await reportPage(),
      await reportPage(),
      await reportPage(),
    ]
    await decide(dismissed, 'dismiss')
    await decide(hiding, 'hide_popup_image')
    await decide(stopping, 'deactivate_code')
    const left = async (ms: number) => {
      const now = new Date(deps.clock().getTime() + ms)
      await removeDecidedReports(db, { now, contactMode: 'public', ...deps.config })
      return new Set((await listReports(db)).reports.map(({ id }) => id))
    }
    expect((await left(90 * DAY_MS - 1)).size).toBe(4)
    expect(await left(90 * DAY_MS)).toEqual(new Set([open, hiding, stopping]))
    await reopen(stopping)
    await decide(stopping, 'dismiss')
    await db.deleteFrom('popup_images').execute()
    expect(await left(90 * DAY_MS)).toEqual(new Set([open]))
  })
})
