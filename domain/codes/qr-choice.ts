import type { QrPlace } from '#domain/dashboard.ts'

/** Which codes a file is to hold, as the calls that make files are told. */
export type QrChoice = { ids: string } | { search: string } | { all: '1' }

export function choiceOf(qrIds: readonly string[]): QrChoice {
  return { ids: qrIds.join(',') }
}

/** Codes that a page's address names, or, where it says `1`, those that its list is showing. */
export function readChoice(named: string, { q }: QrPlace): QrChoice {
  if (named !== '1') return { ids: named }
  return q ? { search: q } : { all: '1' }
}

/** Pictures of the codes with a list of them. */
export function zipHref(choice: QrChoice): string {
  return `/api/qr/codes.zip?${new URLSearchParams(choice)}`
}
