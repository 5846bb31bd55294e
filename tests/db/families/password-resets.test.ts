import { expect } from 'vitest'
import { countWaiting } from '#db/accounts/waiting.ts'
import { fileResetRequest } from '#db/families/password-resets.ts'
import { openTestApp } from '#tests/support/app.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { registeredChild } from '#tests/support/families.ts'
import { plansOf } from '#tests/support/query-plans.ts'

testOnSqlite(
  'requests that wait for an owner are counted from the children, at any size',
  async () => {
    const app = await openTestApp()
    const [owner, other] = [await app.signUp(), await app.signUp()]
    const countOf = async (id: string) => (await countWaiting(app.db, { id })).resets
    const contact = { kind: 'mobile', mobile: '+919814012345' } as const
    const { qr_id: qrId } = await registeredChild(app, owner.id, { contact })
    expect(await countOf(owner.id)).toBe(0)
    await fileResetRequest(app.db, { qrId, contact, lang: 'en' }, app.deps.clock())
    expect(await countOf(owner.id)).toBe(1)
    expect(await countOf(other.id)).toBe(0)
    const [plan] = await plansOf(app.connection, () => countOf(owner.id))
    expect(plan).toEqual([
      'SCAN CONSTANT ROW',
      'SCALAR SUBQUERY 1',
      expect.stringContaining('accounts_by_parent (parent_id=?)'),
      expect.stringContaining('one_pending_reset_request (child_account_id=?)'),
      expect.stringContaining('qr_codes USING INDEX sqlite_autoindex_qr_codes_2 (qr_id=?)'),
      'SCALAR SUBQUERY 4',
      expect.stringContaining('INDEX unread_conversations (account_id=?)'),
      // Once for the account; for each conversation only if there is one.
      'SCALAR SUBQUERY 2',
      expect.stringContaining('reset_questions USING COVERING INDEX'),
      'CORRELATED SCALAR SUBQUERY 3',
      expect.stringContaining('reset_questions USING INDEX'),
      'SCALAR SUBQUERY 5',
      expect.stringContaining('COVERING INDEX ended_access_by_account (account_id=?)'),
      'SCALAR SUBQUERY 6',
      expect.stringContaining('accounts_by_parent (parent_id=?)'),
      expect.stringContaining('guardian_waits USING INDEX'),
      expect.stringContaining('qr_codes USING INDEX sqlite_autoindex_qr_codes_1 (id=?)'),
      'SCALAR SUBQUERY 8',
      'SEARCH qr_codes USING COVERING INDEX qr_codes_by_claim_email (claim_email=?)',
      'SCALAR SUBQUERY 7',
      'SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (id=?)',
    ])
  },
)
