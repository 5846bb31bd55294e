/**
 * Counts the lost codes of an account without reading its others, for both engines. As every migration it stands
 * by itself; from its release on this file is not edited.
 */

const statements: string[] = [
  `create index qr_codes_lost on qr_codes (owner_id) where lost_since is not null`,
]

export const sqlite: readonly string[] = statements
export const postgres: readonly string[] = statements
