import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredStrict, strict } from '#db/kysely.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...accounts, ...qrCodes, ...papers, ...plans, ...operation]) {
    await (statement as RawBuilder<unknown>).execute(db)
  }
}

const accounts = [
  sql`create table meta (key text not null primary key, value text not null) ${strict}`,
  sql`create table accounts (
    id text not null primary key,
    name text not null,
    email text unique check (email = lower(email)),
    mobile text unique,
    password_hash text,
    role text not null check (role in ('client', 'premium', 'moderator', 'admin', 'super_admin')),
    subscription_plan text not null check (subscription_plan in ('free', 'premium', 'enterprise')),
    qr_limit integer not null check (qr_limit >= -1),
    child_qr_quota integer not null check (child_qr_quota >= 0),
    is_active integer not null check (is_active in (0, 1)),
    parent_id text references accounts (id) on delete set null,
    created_at text not null,
    check (email is not null or mobile is not null)
  ) ${strict}`,
  sql`create index accounts_by_parent on accounts (parent_id)`,
  sql`create index accounts_by_created on accounts (created_at)`,
  sql`create table temporary_permissions (
    account_id text not null primary key references accounts (id) on delete cascade,
    expires_at text not null,
    role text not null,
    subscription_plan text not null,
    qr_limit integer not null,
    child_qr_quota integer not null,
    is_active integer not null check (is_active in (0, 1))
  ) ${strict}`,
  sql`create index temporary_permissions_by_end on temporary_permissions (expires_at)`,
  sql`create table sessions (
    id text not null primary key,
    bearer_hash text not null unique,
    account_id text not null references accounts (id) on delete cascade,
    created_at text not null,
    last_used_at text not null,
    expires_at text not null
  ) ${strict}`,
  sql`create index sessions_by_account on sessions (account_id)`,
  sql`create index sessions_by_end on sessions (expires_at)`,
  sql`create index sessions_by_use on sessions (last_used_at)`,
  sql`create table one_time_codes (
    purpose text not null check (purpose in ('register', 'login', 'reset')),
    contact text not null,
    code_hash text not null,
    tries integer not null check (tries between 0 and 5),
    created_at text not null,
    expires_at text not null,
    primary key (purpose, contact)
  ) ${strict}`,
  sql`create table google_identities (
    issuer text not null,
    subject text not null,
    account_id text not null references accounts (id) on delete cascade,
    created_at text not null,
    primary key (issuer, subject)
  ) ${strict}`,
  sql`create table sign_in_codes (
    code_hash text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    browser_hash text not null,
    expires_at text not null
  ) ${strict}`,
]

const qrCodes = [
  sql`create table qr_codes (
    id text not null primary key,
    qr_id text not null unique,
    qr_type text not null check (qr_type in ('normal', 'child')),
    owner_id text not null references accounts (id),
    created_by text not null references accounts (id),
    child_account_id text unique references accounts (id),
    is_active integer not null check (is_active in (0, 1)),
    is_claimed integer not null check (is_claimed in (0, 1)),
    is_child_registered integer not null check (is_child_registered in (0, 1)),
    claim_email text,
    owner_name text,
    contact_phone text,
    email text,
    city_area text,
    emergency_contact_name text,
    emergency_contact_phone text,
    blood_group text,
    vehicle_registration text,
    vehicle_make_model text,
    driving_license_number text,
    insurance_policy_number text,
    insurance_expiry_date text,
    next_service_due text,
    company_fleet_name text,
    notes_instructions text,
    public_message text,
    pin_hash text,
    pin_tries integer not null check (pin_tries between 0 and 5),
    pin_locked_until text,
    created_at text not null,
    updated_at text not null,
    check (is_claimed = 0 or owner_name is not null)
  ) ${strict}`,
  sql`create index qr_codes_by_owner on qr_codes (owner_id, created_at, id)`,
  sql`create index qr_codes_by_creator on qr_codes (created_by, qr_type)`,
  sql`create index qr_codes_by_claim_email on qr_codes (claim_email) where claim_email is not null`,
  sql`create index qr_codes_by_created on qr_codes (created_at, id)`,
  sql`create table scans (
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    scanned_at text not null,
    n integer not null,
    device text not null check (device in ('phone', 'tablet', 'desktop', 'other')),
    referrer text not null check (referrer in ('direct', 'own', 'search', 'social', 'other')),
    primary key (qr_id, scanned_at, n)
  ) ${clusteredStrict}`,
  sql`create table scan_days (
    day text not null primary key,
    scans integer not null check (scans > 0)
  ) ${strict}`,
  sql`create table password_reset_requests (
    id text not null primary key,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    child_account_id text not null references accounts (id) on delete cascade,
    status text not null check (status in ('pending', 'approved', 'rejected')),
    requested_at text not null,
    processed_at text,
    processed_by text references accounts (id) on delete set null
  ) ${strict}`,
  sql`create unique index one_pending_reset_request on password_reset_requests (child_account_id)
    where status = 'pending'`,
  sql`create index password_reset_requests_by_code on password_reset_requests (qr_id)`,
  sql`create table password_reset_tokens (
    token_hash text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    request_id text not null references password_reset_requests (id) on delete cascade,
    expires_at text not null,
    used_at text
  ) ${strict}`,
  sql`create index password_reset_tokens_by_account on password_reset_tokens (account_id)`,
]

const papers = [
  sql`create table documents (
    id text not null primary key,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    account_id text not null references accounts (id),
    document_type text not null check (document_type in ('rc_book', 'insurance', 'puc', 'license',
      'owner_photo', 'vehicle_photo', 'road_tax', 'vehicle_permit', 'fitness_certificate',
      'id_proof', 'service_history')),
    document_side text check (document_side in ('front', 'back')),
    is_public integer not null check (is_public in (0, 1)),
    file_name text not null,
    stored_name text not null unique,
    thumbnail_name text unique,
    file_size integer not null,
    content_type text not null,
    uploaded_at text not null,
    check ((document_side is not null) = (document_type in ('rc_book', 'license', 'id_proof')))
  ) ${strict}`,
  sql`create index documents_by_code on documents (qr_id, uploaded_at)`,
  sql`create index documents_by_account on documents (account_id)`,
  sql`create table document_views (
    id text not null primary key,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    document_id text references documents (id) on delete set null,
    viewed_at text not null
  ) ${strict}`,
  sql`create index document_views_by_code on document_views (qr_id, viewed_at)`,
  sql`create table share_links (
    token_hash text not null primary key,
    document_id text not null references documents (id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    share_method text not null check (share_method in ('whatsapp', 'email', 'download')),
    recipient text,
    created_at text not null,
    expires_at text not null
  ) ${strict}`,
  sql`create index share_links_by_document on share_links (document_id)`,
  sql`create table popup_images (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    file_name text not null,
    stored_name text not null unique,
    file_size integer not null,
    width integer not null,
    height integer not null,
    is_active integer not null check (is_active in (0, 1)),
    uploaded_at text not null
  ) ${strict}`,
  sql`create index popup_images_by_account on popup_images (account_id, is_active)`,
  sql`create table admin_messages (
    id text not null primary key,
    title text not null,
    content text not null,
    is_active integer not null check (is_active in (0, 1)),
    created_at text not null
  ) ${strict}`,
  sql`create index active_admin_messages on admin_messages (created_at) where is_active = 1`,
]

const plans = [
  sql`create table promo_codes (
    id text not null primary key,
    code text not null unique check (code = upper(code)),
    description text,
    subscription_plan text check (subscription_plan in ('premium', 'enterprise')),
    child_qr_quantity integer not null check (child_qr_quantity >= 0),
    discount_type text check (discount_type in ('percentage')),
    discount_value integer not null check (discount_value between 0 and 100),
    usage_limit integer not null check (usage_limit >= 1),
    usage_count integer not null check (usage_count between 0 and usage_limit),
    expires_at text,
    requires_approval integer not null check (requires_approval in (0, 1)),
    is_active integer not null check (is_active in (0, 1)),
    created_at text not null
  ) ${strict}`,
  sql`create table upgrade_requests (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    current_plan text not null,
    requested_plan text not null check (requested_plan in ('premium', 'enterprise')),
    amount integer not null check (amount >= 0),
    payment_method text,
    payment_reference text,
    notes text,
    screenshot_name text unique,
    status text not null check (status in ('pending', 'approved', 'rejected')),
    requested_at text not null,
    approved_by text references accounts (id) on delete set null,
    approved_at text
  ) ${strict}`,
  sql`create unique index one_pending_upgrade_request on upgrade_requests (account_id)
    where status = 'pending'`,
  sql`create index upgrade_requests_by_time on upgrade_requests (status, requested_at)`,
  sql`create table promo_redemptions (
    id text not null primary key,
    promo_code_id text references promo_codes (id) on delete set null,
    code text not null,
    account_id text not null references accounts (id) on delete cascade,
    subscription_plan text,
    child_qr_quantity integer not null,
    discount_value integer not null,
    status text not null check (status in ('pending', 'approved', 'rejected')),
    redeemed_at text not null,
    decided_by text references accounts (id) on delete set null,
    decided_at text,
    discount_used_by text references upgrade_requests (id) on delete set null
  ) ${strict}`,
  sql`create unique index one_redemption_per_account on promo_redemptions (promo_code_id, account_id)`,
  sql`create index promo_redemptions_by_account on promo_redemptions (account_id)`,
  sql`create index promo_redemptions_by_time on promo_redemptions (status, redeemed_at)`,
  sql`create table api_keys (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    key_hash text not null unique,
    created_at text not null,
    last_used_at text
  ) ${strict}`,
  sql`create index api_keys_by_account on api_keys (account_id)`,
]

const operation = [
  sql`create table audit_events (
    id text not null primary key,
    happened_at text not null,
    actor_id text references accounts (id) on delete set null,
    actor text not null,
    action text not null,
    subject_type text not null,
    subject_id text,
    before text,
    after text
  ) ${strict}`,
  sql`create index audit_events_by_time on audit_events (happened_at)`,
  sql`create table outbox (
    id text not null primary key,
    recipient text not null,
    subject text not null,
    text text not null,
    html text,
    attempts integer not null,
    created_at text not null,
    next_attempt_at text not null,
    expires_at text
  ) ${strict}`,
  sql`create index outbox_by_due on outbox (next_attempt_at)`,
]
