import type { QrPlace } from '#domain/dashboard.ts'
import type { Whose } from '#domain/people/share.ts'

/** The codes that a file will hold, or an act change, as the query of the calls. */
export type QrChoice =
  | { ids: string }
  | { created_at: string }
  | { all: '1' }
  | { search?: string; company_fleet_name?: string; shared?: Whose }

export function choiceOf(qrIds: readonly string[]): QrChoice {
  return { ids: qrIds.join(',') }
}

/**
 * Reads the codes that a page's address names: their ids, the instant at which an import made them,
 * or `1` for all that its list finds.
 */
export function readChoice(named: string, { q, company_fleet_name, shared }: QrPlace): QrChoice {
  if (/^\d{4}-\d\d-\d\dT/.test(named)) return { created_at: named }
  if (named !== '1') return { ids: named }
  if (!q && !company_fleet_name && !shared) return { all: '1' }
  return {
    ...(q && { search: q }),
    ...(company_fleet_name && { company_fleet_name }),
    ...(shared && { shared }),
  }
}

/**
 * Ids that a page puts into an address. Servers and proxies in front of them take 8 KB, in which the form of
 * labels names each code twice.
 */
const ADDRESS_IDS = 200

/** Returns whether the ids of this many codes are too long for a URL, so that a form sends them in its body. */
export function isTooLongForAddress(count: number): boolean {
  return count > ADDRESS_IDS
}

/** Returns a ZIP file with the image of each code and a list of the codes. */
export function zipHref(choice: QrChoice): string {
  return `/api/qr/codes.zip?${new URLSearchParams(choice)}`
}
