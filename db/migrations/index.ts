import * as schema from '#db/migrations/001-schema.ts'
import * as conversations from '#db/migrations/002-conversations.ts'
import * as alerts from '#db/migrations/003-alerts.ts'
import * as languages from '#db/migrations/004-conversation-language.ts'
import * as months from '#db/migrations/005-months.ts'
import * as branding from '#db/migrations/006-branding.ts'
import * as tickets from '#db/migrations/007-tickets.ts'
import * as alertLeftovers from '#db/migrations/008-alert-leftovers.ts'
import * as due from '#db/migrations/009-due.ts'
import * as transfers from '#db/migrations/010-transfers.ts'
import * as tags from '#db/migrations/011-tags.ts'
import * as security from '#db/migrations/012-security.ts'
import * as fleet from '#db/migrations/013-fleet.ts'
import * as quiet from '#db/migrations/014-quiet-conversations.ts'
import * as references from '#db/migrations/015-references.ts'
import * as data from '#db/migrations/016-data.ts'
import * as passkeys from '#db/migrations/017-passkeys.ts'
import * as deletion from '#db/migrations/018-deletion.ts'
import * as accountIndexes from '#db/migrations/019-account-indexes.ts'
import * as lostCodes from '#db/migrations/020-lost-codes.ts'
import * as recoveryCodes from '#db/migrations/021-recovery-codes.ts'

/** The statements of a migration for each engine. */
export type Migration = { sqlite: readonly string[]; postgres: readonly string[] }

/** In order. A released migration is never edited. */
export const migrations: readonly Migration[] = [
  schema,
  conversations,
  alerts,
  languages,
  months,
  branding,
  tickets,
  alertLeftovers,
  due,
  transfers,
  tags,
  security,
  fleet,
  quiet,
  references,
  data,
  passkeys,
  deletion,
  accountIndexes,
  lostCodes,
  recoveryCodes,
]
