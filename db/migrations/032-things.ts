/** Adds the thing with a code, which its page names. Existing codes are on keys. */
const THING = "not null default 'keys' check (thing in ('keys', 'vehicle', 'bag', 'other'))"

export const sqlite: readonly string[] = [`alter table qr_codes add column thing text ${THING}`]
export const postgres: readonly string[] = [
  `alter table qr_codes add column thing text collate "C" ${THING}`,
]
