import { REQUEST_DECIDED } from '#domain/decision.ts'

/** The lifetime of the link of an approved request. */
export const RESET_LINK_HOURS = 24

export const RESET_DECISIONS = {
  approve: { message: 'Password reset request approved' },
  reject: { message: 'Password reset request rejected' },
} as const

/** The answer that contained the link may have been lost. */
export const RESET_DECIDED = `${REQUEST_DECIDED}. If the link is lost, the child can ask again.`

/** A child user's answer about a reset that the code's owner approved; `asked` means none yet. */
export const CHILD_ANSWERS = ['asked', 'confirmed', 'denied'] as const
export type ChildAnswer = (typeof CHILD_ANSWERS)[number]

/** The action of the form with that answer. */
export const RESET_QUESTION_ACTION = '/dashboard/password-reset'

export function resetQuestion(approvedBy: string, date: string): string {
  return `Your password was reset by ${approvedBy} on ${date}. Was this you?`
}

export const RESET_LINK_MAILED =
  'The link was mailed to the child’s verified address. It is shown nowhere else.'

/** Returns the name by which an owner knows a code: the vehicle and its place, else the name on it. */
export function qrNameOf(code: {
  vehicle_make_model: string | null
  city_area: string | null
  owner_name: string | null
}): string | null {
  const { vehicle_make_model, city_area, owner_name } = code
  if (!vehicle_make_model) return owner_name
  return [vehicle_make_model, city_area].filter(Boolean).join(', ')
}

/** Returns the message with which an owner passes on a link. */
export function resetLinkMessage(url: string): string {
  return `Set your new DriveQR password here. The link works once, within ${RESET_LINK_HOURS} hours: ${url}`
}
