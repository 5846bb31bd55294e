import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { Rows } from '#db/engine.ts'
import { differencesOf } from '#db/engine.ts'
import type { Tables } from '#db/schema.ts'
import { QR_COLUMNS, type QrColumn } from '#domain/codes/qr.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeDataFolder } from '#tests/support/folders.ts'

const AT = '2026-11-20T10:00:00.000Z'
/** More than 32 bits hold, and less than JavaScript holds exactly. */
const LARGE = 2 ** 45 + 1
const TEXT = 'à क "quoted" \\ \n end'

const QR_TEXTS = Object.fromEntries(QR_COLUMNS.map((name, n) => [name, String(n)])) as Record<
  QrColumn,
  string
>

/** A row of every table, every column of it filled. */
const ROWS: Required<Rows> = {
  meta: [{ key: 'k', value: TEXT }],
  accounts: [
    {
      id: 'a1',
      name: TEXT,
      email: 'a@example.in',
      mobile: '+919876543210',
      password_hash: 'hash',
      role: 'client',
      subscription_plan: 'free',
      qr_limit: -1,
      child_qr_quota: LARGE,
      is_active: 1,
      parent_id: null,
      created_at: AT,
      email_verified_at: AT,
    },
    {
      id: 'a2',
      name: 'child',
      email: null,
      mobile: '+919876543211',
      password_hash: null,
      role: 'client',
      subscription_plan: 'free',
      qr_limit: 1,
      child_qr_quota: 0,
      is_active: 0,
      parent_id: 'a1',
      created_at: AT,
      email_verified_at: null,
    },
  ],
  temporary_permissions: [
    {
      account_id: 'a1',
      expires_at: AT,
      role: 'admin',
      subscription_plan: 'premium',
      qr_limit: LARGE,
      child_qr_quota: 2,
      is_active: 1,
      lent_quota: 3,
    },
  ],
  sessions: [
    {
      id: 's',
      bearer_hash: 'b',
      account_id: 'a1',
      created_at: AT,
      last_used_at: AT,
      expires_at: AT,
    },
  ],
  active_days: [{ day: '2026-11-20', account_id: 'a1' }],
  one_time_codes: [
    {
      purpose: 'login',
      contact: 'a@example.in',
      browser_hash: '',
      code_hash: 'c',
      tries: 5,
      tries_elsewhere: 15,
      created_at: AT,
      expires_at: AT,
    },
  ],
  wrong_guesses: [
    {
      n: LARGE,
      contact_hash: 'c',
      source_hash: 's',
      kind: 'code',
      is_known_device: 0,
      in_row: 1,
      guessed_at: AT,
    },
  ],
  google_identities: [{ issuer: 'g', subject: 's', account_id: 'a1', created_at: AT }],
  sign_in_codes: [{ code_hash: 'c', account_id: 'a1', browser_hash: 'b', expires_at: AT }],
  qr_codes: [
    {
      id: 'q',
      qr_id: 'AAAA2222',
      qr_type: 'child',
      owner_id: 'a1',
      created_by: 'a1',
      child_account_id: 'a2',
      is_active: 1,
      is_claimed: 1,
      is_child_registered: 1,
      claim_email: 'c@example.in',
      ...QR_TEXTS,
      owner_name: TEXT,
      insurance_expiry_date: '2027-01-01',
      next_service_due: '2027-01-02',
      pin_hash: '14',
      pin_tries: 5,
      pin_locked_until: AT,
      created_at: AT,
      updated_at: AT,
      claimed_at: AT,
      take_token_hash: '15',
    },
  ],
  scans: [{ qr_id: 'AAAA2222', scanned_at: AT, n: 2 ** 31 - 1, device: 'phone', referrer: 'own' }],
  scan_quarters: [],
  owner_scans: [],
  documents: [
    {
      id: 'd',
      qr_id: 'AAAA2222',
      account_id: 'a1',
      document_type: 'license',
      document_side: 'front',
      is_public: 0,
      file_name: TEXT,
      stored_name: 's.jpg',
      thumbnail_name: 't.jpg',
      file_size: LARGE,
      content_type: 'image/jpeg',
      uploaded_at: AT,
      is_locked: 1,
    },
  ],
  document_views: [
    {
      id: 'v',
      qr_id: 'AAAA2222',
      document_id: 'd',
      viewed_at: AT,
      document_type: 'license',
      document_side: 'back',
    },
  ],
  share_links: [
    {
      token_hash: 't',
      document_id: 'd',
      account_id: 'a1',
      share_method: 'email',
      recipient: 'r@example.in',
      created_at: AT,
      expires_at: AT,
    },
  ],
  popup_images: [
    {
      id: 'p',
      account_id: 'a1',
      file_name: 'f.png',
      stored_name: 'p.png',
      file_size: LARGE,
      width: 640,
      height: 480,
      is_active: 1,
      uploaded_at: AT,
    },
  ],
  admin_messages: [{ id: 'm', title: 't', content: TEXT, is_active: 0, created_at: AT }],
  password_reset_requests: [
    {
      id: 'r',
      qr_id: 'AAAA2222',
      child_account_id: 'a2',
      status: 'approved',
      requested_at: AT,
      processed_at: AT,
      processed_by: 'a1',
      child_answer: 'asked',
    },
  ],
  reset_questions: [
    { account_id: 'a2', approved_by: 'x', reset_at: AT, devices_before: AT, denied_at: AT },
  ],
  password_reset_tokens: [
    { token_hash: 't', account_id: 'a2', request_id: 'r', expires_at: AT, used_at: AT },
  ],
  promo_codes: [
    {
      id: 'pc',
      code: 'CODE',
      description: 'd',
      subscription_plan: 'premium',
      child_qr_quantity: 4,
      discount_type: 'percentage',
      discount_value: 100,
      usage_limit: LARGE,
      usage_count: 1,
      expires_at: AT,
      requires_approval: 1,
      is_active: 1,
      created_at: AT,
    },
  ],
  upgrade_requests: [
    {
      id: 'u',
      account_id: 'a1',
      current_plan: 'free',
      requested_plan: 'premium',
      amount: LARGE,
      payment_method: 'upi',
      payment_reference: '1',
      notes: TEXT,
      screenshot_name: 's.webp',
      status: 'approved',
      requested_at: AT,
      approved_by: 'a1',
      approved_at: AT,
      decision_notes: TEXT,
    },
  ],
  promo_redemptions: [
    {
      id: 'pr',
      promo_code_id: 'pc',
      code: 'CODE',
      account_id: 'a1',
      subscription_plan: 'enterprise',
      child_qr_quantity: 4,
      discount_value: 100,
      status: 'approved',
      redeemed_at: AT,
      decided_by: 'a1',
      decided_at: AT,
      discount_used_by: 'u',
    },
  ],
  api_keys: [
    { id: 'k', account_id: 'a1', name: 'n', key_hash: 'h', created_at: AT, last_used_at: AT },
  ],
  audit_events: [
    {
      id: 'e',
      happened_at: AT,
      actor_id: 'a1',
      actor: 'Asha',
      action: 'a',
      subject_type: 's',
      subject_id: 'i',
      before: '{"a":1}',
      after: '{}',
    },
  ],
  outbox: [
    {
      id: 'o',
      recipient: 'a@example.in',
      subject: 's',
      text: TEXT,
      html: TEXT,
      attempts: 3,
      created_at: AT,
      next_attempt_at: AT,
      expires_at: AT,
    },
  ],
}

/** Nobody else writes to it. */
async function openEmpty() {
  const dataDir = makeDataFolder()
  const { db, close } = await openTestDatabase(dataDir)
  onTestFinished(async () => {
    await close()
    rmSync(dataDir, { recursive: true })
  })
  return db
}

const names = Object.keys(ROWS) as (keyof Tables)[]

test('every column of every table gives back the value that it was given', async () => {
  const db = await openEmpty()
  await differencesOf(db).load(ROWS)
  const summed = { scan_quarters: 'quarter', owner_scans: 'owner_id' }
  for (const name of names.filter((each) => each !== 'meta' && !(each in summed))) {
    expect([name, await db.selectFrom(name).selectAll().execute()]).toEqual([name, ROWS[name]])
  }
  const [quarter] = await db.selectFrom('scan_quarters').selectAll().execute()
  const [owned] = await db.selectFrom('owner_scans').selectAll().execute()
  expect(quarter).toEqual({ quarter: '2026-11-20T10:00', scans: 1 })
  expect(owned).toEqual({ owner_id: 'a1', quarter: '2026-11-20T10:00', scans: 1 })
})

test('sums and counts are numbers, texts come in the order of their bytes', async () => {
  const db = await openEmpty()
  await differencesOf(db).load({
    meta: ['b', 'B', 'é', 'a', '_'].map((key) => ({ key, value: '' })),
  })
  const { count } = await db
    .selectFrom('meta')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeTypeOf('number')
  const { sum } = await db
    .selectFrom('scan_quarters')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('scans'), fn.countAll<number>()).as('sum'))
    .executeTakeFirstOrThrow()
  expect(sum).toBe(0)
  const rows = await db
    .selectFrom('meta')
    .select('key')
    .where('value', '=', '')
    .orderBy('key')
    .execute()
  expect(rows.map(({ key }) => key)).toEqual(['B', '_', 'a', 'b', 'é'])
})
