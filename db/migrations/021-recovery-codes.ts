/**
 * When recovery codes were made, so that those which a thief made can go, for both engines. As every migration it
 * stands by itself; from its release on this file is not edited.
 */

const statements: string[] = [
  `alter table recovery_codes add column made_at text not null default ''`,
]

export const sqlite: readonly string[] = statements
export const postgres: readonly string[] = statements
