/** The default of the `COUNTRY` setting. Earlier versions had no other. */
export const DEFAULT_COUNTRY = 'IN'

let here = DEFAULT_COUNTRY

/** Says in which country people write numbers without `+`, as the setting `COUNTRY` does. A browser does not know it. */
export function dialIn(country: string): void {
  here = country
}

/** Returns the country of numbers that are written without `+`. */
export function homeCountry(): string {
  return here
}
