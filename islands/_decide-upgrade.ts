import type { DecisionAction } from '#domain/decision.ts'
import { callApi } from '#islands/_api.ts'

type Said = { notes?: string; requested_plan?: string }

/** Decides an upgrade request with what the form says of it. */
export async function decideUpgrade(id: string, action: DecisionAction, said: Said): Promise<void> {
  const payload = { request_id: id, action, ...said }
  await callApi('POST', `/admin/upgrade-requests/${id}/${action}`, payload)
}
