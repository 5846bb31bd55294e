const STATE_SERIES = /^([A-Z]{2})(\d{1,2})([A-Z]{0,3})(\d{1,4})$/
const BHARAT_SERIES = /^(\d{2})(BH)(\d{4})([A-Z]{1,2})$/

/** Puts the spaces of a printed plate into an Indian registration; anything else stays as typed. */
export function formatPlate(registration: string): string {
  const shown = registration.trim().toUpperCase()
  const bare = shown.replace(/[\s.-]/g, '')
  const parts = STATE_SERIES.exec(bare) ?? BHARAT_SERIES.exec(bare)
  return parts ? parts.slice(1).filter(Boolean).join(' ') : shown
}

/** What stands on a plate in one line; a registration may be any text, and takes more then. */
export function isLongPlate(shown: string): boolean {
  return shown.length > 13
}
