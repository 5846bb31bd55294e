/** The pictures of the landing page, which `lab/pictures.ts` draws. */
export const LANDING_PICTURES = ['hidden', 'reminders', 'languages'] as const
export type LandingPicture = (typeof LANDING_PICTURES)[number]
