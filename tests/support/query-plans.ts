import type Sqlite from 'better-sqlite3'
import { vi } from 'vitest'

/** The query plans of the statements that the work runs. */
export async function plansOf(connection: Sqlite.Database, work: () => Promise<unknown>) {
  const prepare = vi.spyOn(connection, 'prepare')
  await work()
  const statements = prepare.mock.calls.map(([statement]) => statement)
  prepare.mockRestore()
  return statements.map((statement) => {
    const nothing = Array.from(statement.matchAll(/\?/g), () => null)
    const steps = connection.prepare(`explain query plan ${statement}`).all(...nothing)
    return (steps as { detail: string }[]).map(({ detail }) => detail)
  })
}
