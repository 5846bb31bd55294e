/** Documents, popup images and calendars. */
export const papers: readonly string[] = [
  `create table documents (
    id text not null primary key,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    account_id text not null references accounts (id),
    document_type text not null check (document_type in ('rc_book', 'insurance', 'puc', 'license',
      'owner_photo', 'vehicle_photo', 'road_tax', 'vehicle_permit', 'fitness_certificate',
      'id_proof', 'service_history')),
    document_side text check (document_side in ('front', 'back')),
    is_public flag not null check (is_public in (0, 1)),
    file_name text not null,
    stored_name text not null unique,
    thumbnail_name text unique,
    file_size whole not null,
    content_type text not null,
    uploaded_at text not null,
    is_locked flag not null default 0 check (is_locked in (0, 1) and is_locked + is_public < 2),
    expires_on text check (expires_on like '____-__-__'),
    check ((document_side is not null) = (document_type in ('rc_book', 'license', 'id_proof')))
  ) strict`,
  'create index documents_by_code on documents (qr_id, uploaded_at)',
  'create index documents_by_account on documents (account_id)',
  // The next documents to expire, for an account and for the daily run over all of them.
  `create index documents_by_account_end on documents (account_id, expires_on)
    where expires_on is not null`,
  'create index documents_by_end on documents (expires_on, id) where expires_on is not null',
  `create table document_views (
    id text not null primary key,
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    document_id text references documents (id) on delete set null,
    viewed_at text not null,
    document_type text,
    document_side text
  ) strict`,
  'create index document_views_by_code on document_views (qr_id, viewed_at)',
  `create index document_views_by_document on document_views (document_id)
    where document_id is not null`,
  `create table share_links (
    token_hash text not null primary key,
    document_id text not null references documents (id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    share_method text not null check (share_method in ('whatsapp', 'email', 'download')),
    recipient text,
    created_at text not null,
    expires_at text not null
  ) strict`,
  'create index share_links_by_document on share_links (document_id)',
  'create index share_links_by_account on share_links (account_id)',
  `create table popup_images (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    file_name text not null,
    stored_name text not null unique,
    file_size whole not null,
    width whole not null,
    height whole not null,
    is_active flag not null check (is_active in (0, 1)),
    uploaded_at text not null,
    hidden_by_report text
  ) strict`,
  'create index popup_images_by_account on popup_images (account_id, is_active)',
  `create table due_digests (
    account_id text not null references accounts (id) on delete cascade,
    day text not null,
    primary key (account_id, day)
  ) strict, without rowid`,
  'create index due_digests_by_day on due_digests (day)',
  `create table calendars (
    account_id text not null primary key references accounts (id) on delete cascade,
    token_hash text not null unique,
    token text not null,
    created_at text not null
  ) strict`,
]
