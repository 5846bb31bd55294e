import { invitePath } from '#actions/accounts/invitations.ts'
import { resolveMailBrand } from '#actions/brands/brands.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { byMail, byMailTo, mailOrigin, once } from '#actions/mail.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import type { Notify } from '#db/outbox.ts'
import {
  type Answered,
  acceptShare,
  declineShare,
  getShareInvitation,
  type Invited,
  invitePerson,
  type NewShareInvitation,
  type OpenInvitation,
  renewInvitation,
} from '#db/people/invitations.ts'
import { joinWithAccount } from '#db/people/joining.ts'
import {
  changeShare,
  leaveOwner,
  removePerson,
  type SettledShare,
  type ShareChange,
} from '#db/people/people.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { assertAdmitted } from '#domain/accounts/admission.ts'
import {
  shareAcceptedMail,
  shareDeclinedMail,
  shareInvitationMail,
  shareMails,
} from '#mail/people.ts'

type Deps = Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox'>

/** An invitation as the owner sees it. `url` is null when the link was mailed. */
export type MadeShareInvitation = Pick<NewShareInvitation, 'id' | 'email' | 'expires_at'> & {
  url: string | null
}

/**
 * Invites an address to help with the caller's codes, by mail where there is a mail server. `countMail` throws above
 * the limits of such mails, which undoes it. Throws the errors of `invitePerson`.
 */
export async function inviteToHelp(
  deps: ActionDeps,
  caller: Caller,
  wish: Invited,
  countMail: () => void,
): Promise<MadeShareInvitation> {
  const { db, clock, config, outbox } = deps
  const { isOpen: wasMailed } = outbox
  const { brand } = await resolveMailBrand(
    deps,
    await resolveAccountBrand(db, caller.accountId, clock()),
  )
  const countOnce = once(countMail)
  const notify = byMail(deps, ({ owner, ...made }: NewShareInvitation) => {
    if (!wasMailed) return undefined
    countOnce()
    const { email: to, expires_at: expiresAt, share } = made
    const about = { owner: owner.name, share, url: linkOf(deps, made), expiresAt, brand }
    return { to, expiresAt, ...shareInvitationMail({ ...mailOrigin({ config }), ...about }) }
  })
  const made = await invitePerson(db, caller, { ...wish, wasMailed }, clock(), notify)
  return shown(made, wasMailed ? null : linkOf(deps, made))
}

function linkOf({ config }: Pick<Deps, 'config'>, { token }: { token: string }): string {
  return config.publicUrl + invitePath(token)
}

function shown(
  { id, email, expires_at }: Omit<MadeShareInvitation, 'url'>,
  url: string | null,
): MadeShareInvitation {
  return { id, email, expires_at, url }
}

/** Makes a link of an open invitation to copy, which ends the former. Throws the errors of `renewInvitation`. */
export async function showNewLink(deps: Deps, caller: Caller, id: string) {
  const made = await renewInvitation(deps.db, caller, id, deps.clock())
  return { ...shown(made, null), url: linkOf(deps, made) }
}

/** Lets the caller help, and tells the owner. Throws the errors of `acceptShare`. */
export async function acceptHelp(deps: Deps, caller: Caller, token: string): Promise<void> {
  await acceptShare(deps.db, caller, token, deps.clock(), tellAccepted(deps))
}

type Joining = {
  token: string
  name: string
  password: string
  /** the keys of the queue for hashing, of the invited address */
  queueKeysOf: (email: string) => string[]
}

/** Creates the account of an invited person, and tells the owner. Throws the errors of `joinWithAccount`. */
export async function joinToHelp(
  deps: Deps,
  { token, name, password, queueKeysOf }: Joining,
): Promise<Account> {
  const { db, clock, config } = deps
  const { noticeVersion: notice, registration: rule } = config
  // It is looked up first, because hashing is expensive.
  const { email } = await getShareInvitation(db, token, clock())
  assertAdmitted(rule, 'share', email)
  const password_hash = await hashPassword(password, queueKeysOf(email))
  const registration = { token, name, password_hash, notice, rule }
  return joinWithAccount(db, registration, clock(), tellAccepted(deps))
}

function tellAccepted(deps: Deps): Notify<Answered> {
  return byMailTo(deps, ({ invitation, person }: Answered) => {
    const sides = { owner: invitation.owner_name, person: person.name, share: invitation }
    return { accountId: invitation.owner_id, ...shareAcceptedMail({ ...siteOf(deps), ...sides }) }
  })
}

/** Ends an invitation by its link, and tells the owner. Throws the errors of `declineShare`. */
export async function declineHelp(deps: Deps, token: string): Promise<void> {
  const notify = byMailTo(deps, ({ owner_id, email }: OpenInvitation) => {
    return { accountId: owner_id, ...shareDeclinedMail({ ...siteOf(deps), email }) }
  })
  await declineShare(deps.db, token, deps.clock(), notify)
}

/** Gives a person another role or other codes, and tells both. Throws the errors of `changeShare`. */
export async function changePerson(
  deps: Deps,
  caller: Caller,
  change: ShareChange & { id: string },
): Promise<void> {
  await changeShare(deps.db, caller, change, deps.clock(), tellBoth(deps, false))
}

const ENDINGS = { remove: removePerson, leave: leaveOwner }

/** Removes a person or an invitation, or leaves an owner, and tells both. Throws not_found, and unauthenticated. */
export async function endHelp(
  deps: Deps,
  caller: Caller,
  how: keyof typeof ENDINGS,
  id: string,
): Promise<void> {
  await ENDINGS[how](deps.db, caller, id, tellBoth(deps, true))
}

function tellBoth(deps: Deps, isOver: boolean): Notify<SettledShare> {
  return async (trx, { owner, person, share }) => {
    const sides = { ...siteOf(deps), owner: owner.name, person: person.name, share }
    const { toOwner, toPerson } = shareMails(sides, isOver)
    await deps.outbox.putTo(trx, { accountId: owner.id, ...toOwner })
    await deps.outbox.putTo(trx, { accountId: person.id, ...toPerson })
  }
}

function siteOf({ config }: Pick<Deps, 'config'>) {
  return { ...mailOrigin({ config }), publicUrl: config.publicUrl }
}
