/** The result of a check of the whole database; `damage` is null when there is none. */
type DatabaseCheck = { at: Date; damage: string | null }

export type Health = ReturnType<typeof watchHealth>

/** Records the start of this process, its failed requests, and its last database check. */
export function watchHealth(
  clock: () => Date,
  findDamage: () => Promise<string | null>,
  checkedAtStart: boolean,
) {
  const startedAt = clock()
  let failures = 0
  let checking: Promise<DatabaseCheck> | undefined
  let lastCheck: DatabaseCheck | undefined
  if (checkedAtStart) lastCheck = { at: startedAt, damage: null }

  async function check(): Promise<DatabaseCheck> {
    try {
      lastCheck = { at: clock(), damage: await findDamage() }
      return lastCheck
    } finally {
      checking = undefined
    }
  }

  return {
    startedAt,
    /** Counts a request that was answered 500. */
    noteFailure: () => void failures++,
    /** Returns the number of requests that were answered 500 since the start. */
    countFailures: () => failures,
    lastCheck: () => lastCheck,
    /** Reads the whole database, which may take seconds. Concurrent callers share one check. */
    checkDatabase(): Promise<DatabaseCheck> {
      checking ??= check()
      return checking
    },
  }
}
