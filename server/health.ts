/** What the last look at the whole database found; `damage` is null when it was sound. */
export type DatabaseCheck = { at: Date; damage: string | null }

export type Health = ReturnType<typeof watchHealth>

/** How this process does: since when it runs, how often it failed, how sound the database is. */
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
    /** A request ended in 500. */
    noteFailure: () => void failures++,
    /** How many requests ended in 500 since the start. */
    countFailures: () => failures,
    lastCheck: () => lastCheck,
    /** Reads the whole database, which may take seconds; who asks meanwhile gets the same answer. */
    checkDatabase(): Promise<DatabaseCheck> {
      checking ??= check()
      return checking
    },
  }
}
