export const CONTACT_MODES = ['public', 'relay'] as const
/** `relay`: finders write first, and the owner's number and e-mail stay hidden. */
export type ContactMode = (typeof CONTACT_MODES)[number]

/** The columns of a code that is visible as before there was a choice, and not lost. */
export const VISIBLE = {
  contact_mode: 'public',
  show_vehicle: 1,
  show_city: 1,
  lost_since: null,
  lost_note: null,
  lost_reward: null,
  stopped_by_report: null,
} as const
