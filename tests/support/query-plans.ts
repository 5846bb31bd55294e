import type Sqlite from 'better-sqlite3'
import { vi } from 'vitest'

/** The query plans of the statements that the work runs. */
export async function plansOf(connection: Sqlite.Database, work: () => Promise<unknown>) {
  const ran: string[] = []
  // A prepared statement would only note its first run, so statements are kept.
  const { prototype } = connection.prepare('select 1').constructor
  const spies = (['all', 'run'] as const).map((method) => vi.spyOn(prototype, method))
  await work()
  for (const { mock } of spies) ran.push(...mock.contexts.map(({ source }) => source))
  for (const spy of spies) spy.mockRestore()
  return ran.map((statement) => {
    const nothing = Array.from(statement.matchAll(/\?/g), () => null)
    const steps = connection.prepare(`explain query plan ${statement}`).all(...nothing)
    return (steps as { detail: string }[]).map(({ detail }) => detail)
  })
}
