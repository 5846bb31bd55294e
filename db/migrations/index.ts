import * as senders from '#db/migrations/022-senders.ts'
import * as loginIds from '#db/migrations/023-login-ids.ts'
import * as ownDomains from '#db/migrations/024-own-domains.ts'
import * as wrongTries from '#db/migrations/025-wrong-tries.ts'
import * as phoneNumbers from '#db/migrations/026-phone-numbers.ts'
import * as heldCodes from '#db/migrations/027-held-codes.ts'
import * as addressHosts from '#db/migrations/028-address-hosts.ts'
import * as pdfsAndMarks from '#db/migrations/029-pdfs-and-marks.ts'
import * as earlierValues from '#db/migrations/030-earlier-values.ts'
import * as serviceBlocks from '#db/migrations/031-service-blocks.ts'
import * as things from '#db/migrations/032-things.ts'
import * as messageTexts from '#db/migrations/033-message-texts.ts'
import * as firstSteps from '#db/migrations/034-first-steps.ts'
import * as toldAt from '#db/migrations/035-told-at.ts'
import * as invitations from '#db/migrations/036-invitations.ts'
import * as scopes from '#db/migrations/037-scopes.ts'
import * as idempotencyKeys from '#db/migrations/038-idempotency-keys.ts'
import * as shares from '#db/migrations/039-shares.ts'
import * as actsOfPeople from '#db/migrations/040-acts-of-people.ts'
import * as alertsOfPeople from '#db/migrations/041-alerts-of-people.ts'
import * as conversationPeople from '#db/migrations/042-conversation-people.ts'
import * as linksOfPeople from '#db/migrations/043-links-of-people.ts'
import type { Migration } from '#db/migrations/migration.ts'
import * as schema from '#db/migrations/schema/schema.ts'
import { FIRST_VERSION } from '#db/schema-version.ts'

/**
 * The schema of 1.0 and the migrations after it, in order. Each has a file named by the version that it
 * makes, like `022-tags.ts`, and is never edited once it is released.
 */
export const migrations: readonly Migration[] = [
  schema,
  senders,
  loginIds,
  ownDomains,
  wrongTries,
  phoneNumbers,
  heldCodes,
  addressHosts,
  pdfsAndMarks,
  earlierValues,
  serviceBlocks,
  things,
  messageTexts,
  firstSteps,
  toldAt,
  invitations,
  scopes,
  idempotencyKeys,
  shares,
  actsOfPeople,
  alertsOfPeople,
  conversationPeople,
  linksOfPeople,
]

/** Returns the versions of a database before and after a migration. An empty database has version 0. */
export function versionsOf(index: number): { before: number; after: number } {
  const after = FIRST_VERSION + index
  return { before: index === 0 ? 0 : after - 1, after }
}
