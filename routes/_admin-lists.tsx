import { Note } from '#components/note.tsx'
import { readPlace } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { PERMITTED } from '#domain/permission.ts'
import { PROMO_DONE, REDEMPTION_DECIDED } from '#domain/promo.ts'
import { UPGRADE_DECIDED } from '#domain/upgrade.ts'
import type { AppContext } from '#routes/_deps.ts'

const DONE: Record<string, string> = {
  permitted: PERMITTED,
  created: PROMO_DONE.created,
  toggled: PROMO_DONE.toggled,
  deleted: PROMO_DONE.deleted,
  'redemption-approve': REDEMPTION_DECIDED.approve,
  'redemption-reject': REDEMPTION_DECIDED.reject,
  'upgrade-approve': UPGRADE_DECIDED.approve,
  'upgrade-reject': UPGRADE_DECIDED.reject,
}

/** What came of a form that was sent without script; with script a toast says it. */
export function Outcome({
  done = '',
  refusal,
}: {
  done?: string | undefined
  refusal?: DomainError | undefined
}) {
  if (refusal) return <Note tone="stop">{refusal.message}</Note>
  return Object.hasOwn(DONE, done) ? <Note tone="go">{DONE[done]}</Note> : null
}

/** Where in a list of `size` things a page somebody is, as the address says it. */
export function readListPlace(c: AppContext, size: number) {
  const { q, page } = readPlace(c.req.query())
  return { q, page, wanted: { search: q || null, limit: size, offset: (page - 1) * size } }
}

export function pagesOf(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}
