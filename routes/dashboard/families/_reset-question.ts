import type { ResetQuestionView } from '#components/families/reset-question.tsx'
import {
  answerResetQuestion,
  findResetQuestion,
  hasLocked,
  type ResetQuestion,
} from '#db/families/reset-questions.ts'
import type { Account } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import { formatDate } from '#domain/time.ts'
import { isKnownDeviceFrom } from '#routes/_http/accounts/device.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Returns the question to a child user about the reset of its password, for this device. */
export async function readResetQuestion(
  c: AppContext,
  account: Account,
): Promise<ResetQuestionView | undefined> {
  // Nobody else's password is reset by a link.
  if (account.parent_id === null) return undefined
  const { db, config } = c.var.deps
  const question = await findResetQuestion(db, account.id)
  if (!question) return undefined
  const state = stateOf(c, question)
  const has_locked = await hasLocked(db, question)
  // Nothing is closed, and nothing can be done here.
  if (state === 'elsewhere' && !has_locked) return undefined
  return {
    approved_by: question.approved_by,
    date: formatDate(question.reset_at, config.timezone),
    state,
    has_email: account.email !== null,
    has_locked,
  }
}

function stateOf(c: AppContext, question: ResetQuestion): ResetQuestionView['state'] {
  if (question.denied_at) return 'denied'
  return mayAnswer(c, question) ? 'here' : 'elsewhere'
}

/** Another person who opened the link may be signed in too, on a device that is not the child's. */
function mayAnswer(c: AppContext, { account_id, devices_before }: ResetQuestion): boolean {
  return isKnownDeviceFrom(c, account_id, devices_before)
}

/** Returns whether an unconfirmed reset must be confirmed elsewhere: this may be the approver's device. */
export async function isInDoubt(c: AppContext, { id }: Account): Promise<boolean> {
  const question = await findResetQuestion(c.var.deps.db, id)
  return question !== undefined && !mayAnswer(c, question)
}

/**
 * Answers the question; true when that opens something. Throws not_found where there is no
 * question, and forbidden on another device.
 */
export async function answerReset(
  c: AppContext,
  account: Account,
  isMine: boolean,
): Promise<boolean> {
  const { db, clock } = c.var.deps
  const question = await findResetQuestion(db, account.id)
  if (!question) throw new DomainError('not_found.password_reset')
  if (!mayAnswer(c, question)) {
    throw new DomainError('forbidden.answer_before_reset')
  }
  const opens = isMine && (await hasLocked(db, question))
  const answer = { isMine, sessionId: c.var.session?.id }
  await answerResetQuestion(db, account, question, answer, clock())
  return opens
}
