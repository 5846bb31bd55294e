import type { QrPlace } from '#domain/dashboard.ts'

/** The codes that a file will hold, as the query of the calls that make files. */
export type QrChoice = { ids: string } | { search: string } | { all: '1' }

export function choiceOf(qrIds: readonly string[]): QrChoice {
  return { ids: qrIds.join(',') }
}

/** The codes named in a page's address; `1` stands for all that its list finds. */
export function readChoice(named: string, { q }: QrPlace): QrChoice {
  if (named !== '1') return { ids: named }
  return q ? { search: q } : { all: '1' }
}

/** A ZIP file with the image of each code and a list of the codes. */
export function zipHref(choice: QrChoice): string {
  return `/api/qr/codes.zip?${new URLSearchParams(choice)}`
}
