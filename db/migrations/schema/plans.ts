/** Promo codes, upgrades and receipts. */
export const plans: readonly string[] = [
  `create table promo_codes (
    id text not null primary key,
    code text not null unique check (code = upper(code)),
    description text,
    subscription_plan text check (subscription_plan in ('premium', 'enterprise')),
    child_qr_quantity whole not null check (child_qr_quantity >= 0),
    discount_type text check (discount_type in ('percentage')),
    discount_value whole not null check (discount_value between 0 and 100),
    usage_limit whole not null check (usage_limit >= 1),
    usage_count whole not null check (usage_count between 0 and usage_limit),
    expires_at text,
    requires_approval flag not null check (requires_approval in (0, 1)),
    is_active flag not null check (is_active in (0, 1)),
    created_at text not null,
    plan_months whole
      check (plan_months is null or (plan_months between 1 and 36 and subscription_plan is not null))
  ) strict`,
  `create table upgrade_requests (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    current_plan text not null,
    requested_plan text not null check (requested_plan in ('premium', 'enterprise')),
    amount whole not null check (amount >= 0),
    payment_method text,
    payment_reference text,
    notes text,
    screenshot_name text unique,
    status text not null check (status in ('pending', 'approved', 'rejected')),
    requested_at text not null,
    approved_by text references accounts (id) on delete set null,
    approved_at text,
    decision_notes text,
    months whole check (months between 1 and 36),
    discount whole not null default 0 check (discount >= 0)
  ) strict`,
  `create unique index one_pending_upgrade_request on upgrade_requests (account_id)
    where status = 'pending'`,
  'create index upgrade_requests_by_time on upgrade_requests (status, requested_at)',
  'create index upgrade_requests_by_account on upgrade_requests (account_id)',
  `create index upgrade_requests_by_approver on upgrade_requests (approved_by)
    where approved_by is not null`,
  `create table promo_redemptions (
    id text not null primary key,
    promo_code_id text references promo_codes (id) on delete set null,
    code text not null,
    account_id text not null references accounts (id) on delete cascade,
    subscription_plan text,
    child_qr_quantity whole not null,
    discount_value whole not null,
    status text not null check (status in ('pending', 'approved', 'rejected')),
    redeemed_at text not null,
    decided_by text references accounts (id) on delete set null,
    decided_at text,
    discount_used_by text references upgrade_requests (id) on delete set null,
    plan_months whole check (plan_months between 1 and 36)
  ) strict`,
  `create unique index one_redemption_per_account on promo_redemptions (promo_code_id, account_id)`,
  'create index promo_redemptions_by_account on promo_redemptions (account_id)',
  'create index promo_redemptions_by_time on promo_redemptions (status, redeemed_at)',
  `create index promo_redemptions_by_decider on promo_redemptions (decided_by)
    where decided_by is not null`,
  `create index promo_redemptions_by_discount on promo_redemptions (discount_used_by)
    where discount_used_by is not null`,
  `create table receipt_years (
    year whole not null primary key,
    last whole not null check (last > 0)
  ) strict`,
  `create table receipts (
    number text not null primary key,
    upgrade_request_id text unique references upgrade_requests (id) on delete set null,
    account_id text references accounts (id) on delete set null,
    account_name text not null,
    account_contact text not null,
    issued_at text not null,
    plan text not null check (plan in ('premium', 'enterprise')),
    months whole check (months between 1 and 36),
    starts_at text not null,
    ends_at text,
    amount whole not null check (amount >= 0),
    discount whole not null check (discount >= 0),
    promo_code text,
    payment_method text,
    payment_reference text,
    operator_name text not null,
    operator_address text,
    operator_contact text,
    gstin text,
    gst_rate whole check ((gst_rate is null) = (gstin is null)),
    check ((months is null) = (ends_at is null))
  ) strict`,
  'create index receipts_by_account on receipts (account_id, issued_at)',
]
