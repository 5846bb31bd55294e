/** Returns the URL by which a calendar program on the same device subscribes to an address. */
export function webcalUrl(address: string): string {
  return address.replace(/^https?:/, 'webcal:')
}

/** Returns the page of Google Calendar that subscribes to an address; undefined for one that is not encrypted. */
export function googleCalendarUrl(address: string): string | undefined {
  if (!address.startsWith('https:')) return undefined
  return `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`
}
