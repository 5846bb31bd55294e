/**
 * Plans that end, promo codes that give months, and numbered receipts, for both engines. As every migration
 * it stands by itself; from its release on this file is not edited.
 */

type Words = {
  text: string
  /** whole numbers that JavaScript holds exactly */
  whole: string
  /** ends a table */
  rows: string
}

const SQLITE: Words = { text: 'text', whole: 'integer', rows: 'strict' }
const POSTGRES: Words = { text: 'text collate "C"', whole: 'bigint', rows: '' }

const MONTHS = 'between 1 and 36'

const statements = ({ text, whole, rows }: Words): string[] => [
  // The term of an account: the plan that it has until a time, beside its plan without end. It stays after its end, for
  // a renewal. `term_child_quota` is how many child codes were left to create in it, and `term_reminded` the last
  // reminder that was made of its end: 1 a week before, 2 a day before, 3 at the end.
  `alter table accounts add column term_plan ${text} check (term_plan in ('premium', 'enterprise'))`,
  `alter table accounts add column term_ends_at ${text}
    check ((term_ends_at is null) = (term_plan is null))`,
  `alter table accounts add column term_child_quota ${whole} not null default 0
    check (term_child_quota >= 0)`,
  `alter table accounts add column term_reminded ${whole} not null default 0
    check (term_reminded between 0 and 3)`,
  `create index terms_to_remind_of on accounts (term_ends_at)
    where term_ends_at is not null and term_reminded < 3`,
  // For how many months a plan is asked for and then approved; null without end, as all that were approved before.
  `alter table upgrade_requests add column months ${whole} check (months ${MONTHS})`,
  `update upgrade_requests set months = 1 where status = 'pending'`,
  // What promo codes took off the amount, in whole rupees.
  `alter table upgrade_requests add column discount ${whole} not null default 0 check (discount >= 0)`,
  `alter table promo_codes add column plan_months ${whole}
    check (plan_months is null or (plan_months ${MONTHS} and subscription_plan is not null))`,
  `alter table promo_redemptions add column plan_months ${whole} check (plan_months ${MONTHS})`,
  // The last number of each year, which the transaction of a receipt raises.
  `create table receipt_years (
    year ${whole} not null primary key,
    last ${whole} not null check (last > 0)
  ) ${rows}`,
  // A receipt never changes, so it holds all that is printed on it. It outlives its account.
  `create table receipts (
    number ${text} not null primary key,
    upgrade_request_id ${text} unique references upgrade_requests (id) on delete set null,
    account_id ${text} references accounts (id) on delete set null,
    account_name ${text} not null,
    account_contact ${text} not null,
    issued_at ${text} not null,
    plan ${text} not null check (plan in ('premium', 'enterprise')),
    months ${whole} check (months ${MONTHS}),
    starts_at ${text} not null,
    ends_at ${text},
    amount ${whole} not null check (amount >= 0),
    discount ${whole} not null check (discount >= 0),
    promo_code ${text},
    payment_method ${text},
    payment_reference ${text},
    operator_name ${text} not null,
    operator_address ${text},
    operator_contact ${text},
    gstin ${text},
    gst_rate ${whole} check ((gst_rate is null) = (gstin is null)),
    check ((months is null) = (ends_at is null))
  ) ${rows}`,
  `create index receipts_by_account on receipts (account_id, issued_at)`,
]

export const sqlite: readonly string[] = statements(SQLITE)
export const postgres: readonly string[] = statements(POSTGRES)
