const STATE_SERIES = /^([A-Z]{2})(\d{1,2})([A-Z]{0,3})(\d{1,4})$/
const BHARAT_SERIES = /^(\d{2})(BH)(\d{4})([A-Z]{1,2})$/

/** Writes an Indian registration with the spaces of a printed plate; other texts stay as typed. */
export function formatPlate(registration: string): string {
  const shown = registration.trim().toUpperCase()
  const bare = shown.replace(/[\s.-]/g, '')
  const parts = STATE_SERIES.exec(bare) ?? BHARAT_SERIES.exec(bare)
  return parts ? parts.slice(1).filter(Boolean).join(' ') : shown
}

/** Returns whether a registration, which may be any text, is too long for one line of a plate. */
export function isLongPlate(shown: string): boolean {
  return shown.length > 13
}
