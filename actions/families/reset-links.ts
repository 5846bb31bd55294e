import type { PasswordChange } from '#actions/accounts/password.ts'
import { aboutPassword } from '#actions/accounts/security-alerts.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { byMailTo, mailOrigin } from '#actions/mail.ts'
import type { Credential } from '#db/accounts/credentials.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { ResetRequest } from '#db/families/password-resets.ts'
import {
  type DecidedRequest,
  decideResetRequest,
  findResetLink,
} from '#db/families/reset-decisions.ts'
import { resetPasswordByLink } from '#db/families/reset-links.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword, hashToken, keyedToken, randomToken } from '#db/secrets.ts'
import type { DecisionAction } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { qrNameOf, RESET_LINK_HOURS } from '#domain/families/password-reset.ts'
import { qrPng } from '#formats/qr-image.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { resetLinkMail } from '#mail/texts.ts'

/** Pixels per module of the link's QR image, which the child scans from the owner's screen. */
const LINK_IMAGE_SIZE = 6

type ResetLink = { url: string; image: string }
type ToDecide = {
  requestId: string
  action: DecisionAction
  credential: Credential
  formKey?: string | null
}
/** `link` is missing when the request was rejected or the link was mailed. */
export type Decided = { request: ResetRequest; link?: ResetLink }

/**
 * Decides a reset request. The link of an approval is mailed to the child's verified address, in the language
 * of the page on which the child asked. For a child without a verified address it is returned instead. `formKey`
 * identifies a form: sending the same form again returns the same link. Throws the errors of
 * `decideResetRequest`.
 */
export async function decideReset(
  deps: ActionDeps,
  owner: Account,
  { formKey, ...decision }: ToDecide,
): Promise<Decided> {
  const { db, clock, config, outbox, secretKey } = deps
  const { requestId } = decision
  const token = formKey ? keyedToken(secretKey, 'reset form', requestId, formKey) : randomToken()
  const tokenHash = hashToken(token)
  const url = `${config.publicUrl}/reset-password?token=${token}`
  const notify = byMailTo(deps, async ({ status, child_account_id, lang }: DecidedRequest) =>
    status === 'approved'
      ? {
          accountId: child_account_id,
          ...resetLinkMail({ words: await loadCatalogue(lang), ...mailOrigin(deps), url }),
          expiresAt: toInstant(secondsAfter(clock(), RESET_LINK_HOURS * 3600)),
        }
      : undefined,
  )
  const wanted = { ...decision, tokenHash, canMail: outbox.isOpen }
  const request = await decideResetRequest(db, owner, wanted, clock(), notify)
  if (request.status === 'rejected' || request.child_verified_at) return { request }
  return { request, link: { url, image: qrPng(url, LINK_IMAGE_SIZE).toString('base64') } }
}

/** Returns the stored hash of a valid link's token. Throws invalid. */
export async function requireLiveLink({ db, clock }: ActionDeps, token: string): Promise<string> {
  const tokenHash = hashToken(token)
  if (!(await findResetLink(db, tokenHash, clock()))?.isLive) throw deadLink()
  return tokenHash
}

/** Sets the password of the child user by a link. `queueKeys` are the keys of the queue for hashing. Throws invalid. */
export async function resetByLink(
  deps: ActionDeps,
  tokenHash: string,
  { password, queueKeys, from }: PasswordChange,
): Promise<void> {
  const { db, secretKey, clock } = deps
  const passwordHash = await hashPassword(password, queueKeys)
  const notify = aboutPassword(deps, 'link', from)
  const link = { tokenHash, passwordHash }
  if (!(await resetPasswordByLink(db, secretKey, link, clock(), notify))) throw deadLink()
}

function deadLink(): DomainError {
  return new DomainError('invalid.dead_link')
}

/** Returns a request as the code's owner sees it. */
export function toResetRequestView(request: ResetRequest) {
  return {
    id: request.id,
    child_name: request.child_name,
    child_contact: request.child_email ?? request.child_mobile ?? request.child_login_id ?? '',
    qr_id: request.qr_id,
    qr_name: qrNameOf(request),
    status: request.status,
    requested_at: request.requested_at,
    processed_at: request.processed_at,
    child_answer: request.child_answer,
  }
}
