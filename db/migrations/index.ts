import type { Kysely } from 'kysely'
import * as init from '#db/migrations/001-init.ts'

export type Migration = { up(db: Kysely<unknown>): Promise<void> }

/** In order; a migration that has been released is never edited. */
export const migrations: readonly Migration[] = [init]
