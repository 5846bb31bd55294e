import type { Kysely } from 'kysely'
import * as init from '#db/migrations/001-init.ts'
import * as ownerScans from '#db/migrations/002-owner-scans.ts'
import * as decisionNotes from '#db/migrations/003-decision-notes.ts'
import * as lentQuota from '#db/migrations/004-lent-quota.ts'
import * as scanQuarters from '#db/migrations/005-scan-quarters.ts'
import * as documentViews from '#db/migrations/006-document-views.ts'
import * as activeDays from '#db/migrations/007-active-days.ts'
import * as accountTexts from '#db/migrations/008-account-texts.ts'
import * as qrCodeTexts from '#db/migrations/009-qr-code-texts.ts'
import * as loginFailures from '#db/migrations/010-login-failures.ts'
import * as provenAddresses from '#db/migrations/011-proven-addresses.ts'
import * as tries from '#db/migrations/012-tries.ts'
import * as claims from '#db/migrations/013-claims.ts'

export type Migration = { up(db: Kysely<unknown>): Promise<void> }

/** In order; a migration that has been released is never edited. */
export const migrations: readonly Migration[] = [
  init,
  ownerScans,
  decisionNotes,
  lentQuota,
  scanQuarters,
  documentViews,
  activeDays,
  accountTexts,
  qrCodeTexts,
  loginFailures,
  provenAddresses,
  tries,
  claims,
]
