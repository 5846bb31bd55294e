/**
 * In which language people without an account get their mails, for both engines. As every migration it
 * stands by itself; from its release on this file is not edited.
 */

const statements = (text: string): string[] => [
  // Of the page on which the finder wrote last. No check lists the languages: a new one needs no migration.
  `alter table conversations add column lang ${text} not null default 'en'`,
  // Of the page on which somebody without an account claimed the code; null without a claim's e-mail.
  `alter table qr_codes add column claim_lang ${text}`,
  // Of the page on which the child asked.
  `alter table password_reset_requests add column lang ${text} not null default 'en'`,
]

export const sqlite: readonly string[] = statements('text')
export const postgres: readonly string[] = statements('text collate "C"')
