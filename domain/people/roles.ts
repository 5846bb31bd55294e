import { qrNotFound } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

/** The roles that a share gives. */
export const SHARE_ROLES = ['manager', 'member', 'viewer'] as const
export type ShareRole = (typeof SHARE_ROLES)[number]

/** The roles as pages name them. */
export const ROLE_NAMES: Record<ShareRole, string> = {
  manager: 'Manager',
  member: 'Member',
  viewer: 'Viewer',
}

/** The ways to have a code: `child` is the user who registered a child code. */
export const ACCESSES = ['owner', 'child', ...SHARE_ROLES] as const
export type Access = (typeof ACCESSES)[number]

/**
 * The rights on a code, with everybody who has them. Guards, buttons, the description of the API and
 * `docs/authorisation/` read this table.
 *
 * - `look`: its card, analytics, messages, public documents
 * - `download`: its picture as a file, and the ZIP
 * - `answer`: answer, mute and close messages, Got it back, lost mode
 * - `edit`: fields, contact mode, activation, popup images, labels
 * - `papers`: private documents too, and to upload, change and delete documents
 * - `tend`: a new id, blocking a sender, a report
 * - `create`: codes for the owner, import and bulk acts
 * - `own`: delete, transfer, activation codes
 */
export const RIGHTS = {
  look: ['owner', 'child', 'manager', 'member', 'viewer'],
  download: ['owner', 'child', 'manager', 'member'],
  answer: ['owner', 'child', 'manager', 'member'],
  edit: ['owner', 'child', 'manager'],
  papers: ['owner', 'child', 'manager'],
  tend: ['owner', 'child', 'manager'],
  create: ['owner', 'manager'],
  own: ['owner'],
} as const satisfies Record<string, readonly Access[]>
export type Right = keyof typeof RIGHTS

/** Returns whether somebody with this access has a right. */
export function has(access: Access | undefined, right: Right): boolean {
  return access !== undefined && (RIGHTS[right] as readonly Access[]).includes(access)
}

/** Returns the rights that any of these accesses gives. */
export function rightsOf(accesses: readonly Access[]): ReadonlySet<Right> {
  const rights = Object.keys(RIGHTS) as Right[]
  return new Set(rights.filter((right) => accesses.some((access) => has(access, right))))
}

/** Returns the access. Throws not_found without any, and forbidden for a role that lacks the right. */
export function accessWith(access: Access | undefined, right: Right): Access {
  if (!access) throw qrNotFound()
  if (!has(access, right)) throw new DomainError('forbidden.role')
  return access
}

type OwnersAct = 'forbidden.delete_code' | 'forbidden.transfer'

/** Returns the refusal of an act that is the owner's alone: a child user is told whose it is. */
export function ownersOnly(access: Access | undefined, act: OwnersAct): DomainError {
  return new DomainError(access === 'child' ? act : 'forbidden.role')
}
