import { dueUntil, todayOf } from '#actions/papers/due.ts'
import { listDue } from '#db/papers/due.ts'
import { dueState, readDueDays } from '#domain/papers/due.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { due } from '#routes/api/papers/_due-schema.ts'

export const dues = apiRouter().openapi(due, async (c) => {
  const until = dueUntil(c.var.deps, readDueDays(c.req.valid('query').days))
  const found = await listDue(c.var.deps.db, requireAccount(c), { until })
  const today = todayOf(c.var.deps)
  const items = found.map((item) => ({
    kind: item.kind,
    qr_id: item.qr_id,
    vehicle_registration: item.vehicle_registration,
    document_id: item.document_id,
    document_type: item.document_type,
    ends_on: item.ends_on,
    state: dueState(item.ends_on, today),
  }))
  return c.json({ items }, 200)
})
