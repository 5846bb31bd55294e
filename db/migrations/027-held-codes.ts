/** Lets a moderator hold a reported code: for some days it stays with its owner and its id. */

export const sqlite: readonly string[] = ['alter table qr_codes add column hold_until text']
export const postgres: readonly string[] = [
  'alter table qr_codes add column hold_until text collate "C"',
]
