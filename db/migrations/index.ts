import * as schema from '#db/migrations/001-schema.ts'
import * as conversations from '#db/migrations/002-conversations.ts'
import * as alerts from '#db/migrations/003-alerts.ts'
import * as branding from '#db/migrations/006-branding.ts'

/** The statements of a migration for each engine. */
export type Migration = { sqlite: readonly string[]; postgres: readonly string[] }

/** In order. A released migration is never edited. */
export const migrations: readonly Migration[] = [schema, conversations, alerts, branding]
