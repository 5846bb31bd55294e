/** Codes, their scans, transfers and child users, and brands. */
export const codes: readonly string[] = [
  `create table qr_codes (
    id text not null primary key,
    qr_id text not null unique,
    qr_type text not null check (qr_type in ('normal', 'child')),
    owner_id text not null references accounts (id),
    created_by text not null references accounts (id),
    child_account_id text unique references accounts (id),
    is_active flag not null check (is_active in (0, 1)),
    is_claimed flag not null check (is_claimed in (0, 1)),
    is_child_registered flag not null check (is_child_registered in (0, 1)),
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
    pin_tries whole not null check (pin_tries between 0 and 5),
    pin_locked_until text,
    created_at text not null,
    updated_at text not null,
    claimed_at text,
    take_token_hash text,
    contact_mode text not null default 'public' check (contact_mode in ('public', 'relay')),
    show_vehicle flag not null default 1 check (show_vehicle in (0, 1)),
    show_city flag not null default 1 check (show_city in (0, 1)),
    lost_since text,
    lost_note text,
    lost_reward text,
    stopped_by_report text,
    claim_lang text,
    earlier_scans whole not null default 0 check (earlier_scans >= 0),
    claim_notice text,
    is_ending flag not null default 0 check (is_ending in (0, 1)),
    check (is_claimed = 0 or owner_name is not null)
  ) strict`,
  'create index qr_codes_by_owner on qr_codes (owner_id, created_at, id)',
  'create index qr_codes_by_creator on qr_codes (created_by, qr_type)',
  'create index qr_codes_by_claim_email on qr_codes (claim_email) where claim_email is not null',
  'create index qr_codes_by_created on qr_codes (created_at, id)',
  `create unique index qr_codes_by_take_token on qr_codes (take_token_hash)
    where take_token_hash is not null`,
  `create index qr_codes_by_insurance on qr_codes (insurance_expiry_date, id)
    where insurance_expiry_date is not null`,
  `create index qr_codes_by_owner_insurance on qr_codes (owner_id, insurance_expiry_date)
    where insurance_expiry_date is not null`,
  `create index qr_codes_by_service on qr_codes (next_service_due, id)
    where next_service_due is not null`,
  `create index qr_codes_by_owner_service on qr_codes (owner_id, next_service_due)
    where next_service_due is not null`,
  // Codes with a child user, whose documents both of them see.
  `create index qr_codes_by_owner_child on qr_codes (owner_id) where child_account_id is not null`,
  `create index qr_codes_with_earlier_scans on qr_codes (owner_id, earlier_scans)
    where earlier_scans > 0`,
  `create index qr_codes_by_vehicle on qr_codes (owner_id, vehicle_registration)
    where vehicle_registration is not null`,
  // The issuer does not see a code that was claimed without an account as one of a company.
  `create index qr_codes_by_company on qr_codes (owner_id, company_fleet_name, created_at, id)
    where company_fleet_name is not null and claimed_at is null`,
  'create index qr_codes_lost on qr_codes (owner_id) where lost_since is not null',
  `create table replaced_ids (
    qr_id text not null primary key,
    code_id text not null references qr_codes (id) on delete cascade,
    replaced_at text not null
  ) strict, without rowid`,
  'create index replaced_ids_by_code on replaced_ids (code_id, replaced_at)',
  `create table activation_codes (
    code_id text not null primary key references qr_codes (id) on delete cascade,
    code_hash text not null,
    tries whole not null default 0 check (tries between 0 and 5),
    locked_until text
  ) strict`,
  `create table transfers (
    id text not null primary key,
    code_id text not null unique references qr_codes (id) on delete cascade,
    from_account_id text not null references accounts (id) on delete cascade,
    email text not null check (email = lower(email)),
    include_documents flag not null check (include_documents in (0, 1)),
    token_hash text not null unique,
    created_at text not null,
    expires_at text not null
  ) strict`,
  'create index transfers_by_account on transfers (from_account_id)',
  'create index transfers_by_end on transfers (expires_at)',
  `create table lost_periods (
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    since text not null,
    until text,
    earlier_scans whole not null default 0 check (earlier_scans >= 0),
    primary key (qr_id, since)
  ) strict, without rowid`,
  'create unique index one_open_lost_period on lost_periods (qr_id) where until is null',
  `create table scans (
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    scanned_at text not null,
    n whole not null,
    device text not null check (device in ('phone', 'tablet', 'desktop', 'other')),
    referrer text not null check (referrer in ('direct', 'own', 'search', 'social', 'other')),
    replaced_id text,
    primary key (qr_id, scanned_at, n)
  ) strict, without rowid`,
  `create table scan_quarters (
    quarter text not null primary key,
    scans whole not null check (scans > 0)
  ) strict`,
  `create table owner_scans (
    owner_id text not null references accounts (id) on delete cascade,
    quarter text not null,
    scans whole not null,
    primary key (owner_id, quarter)
  ) strict, without rowid`,
  `create table guardian_waits (
    account_id text not null primary key references accounts (id) on delete cascade,
    code_id text not null references qr_codes (id) on delete cascade,
    asked_at text not null
  ) strict`,
  'create index guardian_waits_by_code on guardian_waits (code_id)',
  `create table password_reset_requests (
    id text not null primary key,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    child_account_id text not null references accounts (id) on delete cascade,
    status text not null check (status in ('pending', 'approved', 'rejected')),
    requested_at text not null,
    processed_at text,
    processed_by text references accounts (id) on delete set null,
    child_answer text check (child_answer in ('asked', 'confirmed', 'denied')),
    lang text not null default 'en'
  ) strict`,
  `create unique index one_pending_reset_request on password_reset_requests (child_account_id)
    where status = 'pending'`,
  'create index password_reset_requests_by_code on password_reset_requests (qr_id)',
  'create index password_reset_requests_by_child on password_reset_requests (child_account_id)',
  `create index password_reset_requests_by_decider on password_reset_requests (processed_by)
    where processed_by is not null`,
  `create table password_reset_tokens (
    token_hash text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    request_id text not null references password_reset_requests (id) on delete cascade,
    expires_at text not null,
    used_at text
  ) strict`,
  'create index password_reset_tokens_by_account on password_reset_tokens (account_id)',
  'create index password_reset_tokens_by_request on password_reset_tokens (request_id)',
  `create table reset_questions (
    account_id text not null primary key references accounts (id) on delete cascade,
    approved_by text not null,
    reset_at text not null,
    devices_before text not null,
    denied_at text
  ) strict`,
  `create table brands (
    account_id text not null primary key references accounts (id) on delete cascade,
    version text not null,
    name text,
    colour text check (colour like '#______'),
    footer text,
    hides_product flag not null default 0 check (hides_product in (0, 1)),
    logo text,
    logo_file text,
    updated_at text not null,
    check ((logo is null) = (logo_file is null))
  ) strict`,
  `create table brand_domains (
    account_id text not null primary key references accounts (id) on delete cascade,
    domain text not null,
    token text not null,
    created_at text not null,
    asked_at text,
    verified_at text
  ) strict`,
  `create unique index brand_domains_verified on brand_domains (domain)
    where verified_at is not null`,
  `create table domain_prints (
    account_id text not null references brand_domains (account_id) on delete cascade,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    primary key (account_id, qr_id)
  ) strict, without rowid`,
  'create index domain_prints_by_code on domain_prints (qr_id)',
]
