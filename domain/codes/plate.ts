const STATE_SERIES = /^([A-Z]{2})(\d{1,2})([A-Z]{0,3})(\d{1,4})$/
/** A letter after Delhi's district says the kind of vehicle, and belongs to the district. */
const DELHI_SERIES = /^(DL)(\d{1,2}[A-Z])([A-Z]{0,2})(\d{1,4})$/
const BHARAT_SERIES = /^(\d{2})(BH)(\d{4})([A-Z]{1,2})$/
/** Plates of embassies, of vintage vehicles, and of vehicles before their registration. */
const DIPLOMATS = /^(\d{1,3})(CD|CC|UN)(\d{1,4})$/
const VINTAGE = /^([A-Z]{2})(VA)([A-Z]{2})(\d{4})$/
const TEMPORARY = /^(T\d{4})([A-Z]{2})(\d{4})([A-Z]{0,2})$/
const SERIES = [DELHI_SERIES, STATE_SERIES, BHARAT_SERIES, DIPLOMATS, VINTAGE, TEMPORARY]

/** Writes an Indian registration with the spaces of a printed plate; other texts stay as typed. */
export function formatPlate(registration: string): string {
  const shown = registration.trim().toUpperCase()
  const bare = shown.replace(/[\s.-]/g, '')
  const parts = SERIES.map((each) => each.exec(bare)).find((found) => found !== null)
  return parts ? parts.slice(1).filter(Boolean).join(' ') : shown
}

/** Returns whether a registration, which may be any text, is too long for one line of a plate. */
export function isLongPlate(shown: string): boolean {
  return shown.length > 13
}
