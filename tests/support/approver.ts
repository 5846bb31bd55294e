/** A process that approves all pending upgrades, and prints the number of each receipt that was issued. */
import fs from 'node:fs'
import { openEngine } from '#db/open-engine.ts'
import { decideUpgradeRequest, listUpgradeRequests } from '#db/plans/upgrade-decisions.ts'

const [dataDir = '', now = '', url] = process.argv.slice(2)
const settings = { dataDir, databaseUrl: url || undefined, databasePool: 2 }
const engine = await openEngine(settings, 'command line')
const db = await engine.queries()
const { upgrade_requests: requests } = await listUpgradeRequests(db, { status: 'pending' })
for (const { id } of requests) {
  const decision = { id, action: 'approve', notes: null, months: 1, payment_seen: true } as const
  const actor = { actor_id: null, actor: 'test' }
  const decided = await decideUpgradeRequest(db, decision, actor, new Date(now), async () => {})
  fs.writeSync(1, `${decided.receipt_number}\n`)
}
await engine.close()
