/** How long the link that an approval makes can be used. */
export const RESET_LINK_HOURS = 24

export const RESET_DECISIONS = {
  approve: { message: 'Password reset request approved' },
  reject: { message: 'Password reset request rejected' },
} as const

/** What a child says of a reset that its code's owner approved. */
export const CHILD_ANSWERS = ['asked', 'confirmed', 'denied'] as const
export type ChildAnswer = (typeof CHILD_ANSWERS)[number]

/** Where a child answers. */
export const RESET_QUESTION_ACTION = '/dashboard/password-reset'

export function resetQuestion(approvedBy: string, date: string): string {
  return `Your password was reset by ${approvedBy} on ${date}. Was this you?`
}

export const RESET_LINK_MAILED =
  'The link was mailed to the address that the child proved to be its own. It is shown nowhere else.'

export const DEAD_RESET_LINK = 'This link is no longer valid'

/** What a child user reads who has forgotten the password: at once, and a second later. */
export const RESET_REQUESTED = [
  'Password reset request submitted successfully!',
  'The QR owner will review your request and contact you.',
] as const

/** What an owner knows a code by: the vehicle and where it is, else the name on the code. */
export function qrNameOf(code: {
  vehicle_make_model: string | null
  city_area: string | null
  owner_name: string | null
}): string | null {
  const { vehicle_make_model, city_area, owner_name } = code
  if (!vehicle_make_model) return owner_name
  return [vehicle_make_model, city_area].filter(Boolean).join(', ')
}

/** The text in which an owner passes a link on. */
export function resetLinkMessage(url: string): string {
  return `Set your new DriveQR password here. The link works once, within ${RESET_LINK_HOURS} hours: ${url}`
}
