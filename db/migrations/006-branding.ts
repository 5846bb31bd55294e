/**
 * Brands, addresses of their own, and by what name mails come, for both engines. As every migration it
 * stands by itself; from its release on this file is not edited.
 */

type Words = {
  text: string
  flag: string
  /** ends a table */
  rows: string
  /** ends a table whose rows live in its primary key's order */
  clustered: string
}

const SQLITE: Words = {
  text: 'text',
  flag: 'integer',
  rows: 'strict',
  clustered: 'strict, without rowid',
}

const POSTGRES: Words = { text: 'text collate "C"', flag: 'smallint', rows: '', clustered: '' }

const statements = ({ text, flag, rows, clustered }: Words): string[] => [
  // What the pages, labels and mails of an account's codes show. `version` changes with every change.
  // `logo` is a WebP of at most 3 KB in base64, for pages; `logo_file` the stored one, for print and mail.
  `create table brands (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    version ${text} not null,
    name ${text},
    colour ${text} check (colour like '#______'),
    footer ${text},
    hides_product ${flag} not null default 0 check (hides_product in (0, 1)),
    logo ${text},
    logo_file ${text},
    updated_at ${text} not null,
    check ((logo is null) = (logo_file is null))
  ) ${rows}`,
  // The address of an account's own, from when it was named; finders reach it once it is verified.
  `create table brand_domains (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    domain ${text} not null,
    token ${text} not null,
    created_at ${text} not null,
    asked_at ${text},
    verified_at ${text}
  ) ${rows}`,
  `create unique index brand_domains_verified on brand_domains (domain)
    where verified_at is not null`,
  // Codes whose picture or label was made with the address of their account's own.
  `create table domain_prints (
    account_id ${text} not null references brand_domains (account_id) on delete cascade,
    qr_id ${text} not null references qr_codes (qr_id) on delete cascade,
    primary key (account_id, qr_id)
  ) ${clustered}`,
  `create index domain_prints_by_code on domain_prints (qr_id)`,
  // By what name a mail comes; null for the installation's.
  `alter table outbox add column sender_name ${text}`,
]

export const sqlite: readonly string[] = statements(SQLITE)
export const postgres: readonly string[] = statements(POSTGRES)
