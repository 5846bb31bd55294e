/** Enough lines to find the cause of a fault. A line has about 200 bytes. */
const MAX_LINES = 2_000

export type RecentLog = ReturnType<typeof openRecentLog>

/**
 * Passes on the log's lines and keeps the last ones for a super admin without a shell. Drops them after
 * `days`, or never if that is 0.
 */
export function openRecentLog(
  next: { write(line: string): unknown },
  { days, clock }: { days: number; clock: () => Date },
) {
  let lines: { at: number; line: string }[] = []
  return {
    write(line: string): void {
      next.write(line)
      lines.push({ at: clock().getTime(), line })
      if (lines.length >= 2 * MAX_LINES) lines = lines.slice(-MAX_LINES)
    },
    /** Returns the kept lines, the newest last. */
    read(): string {
      const since = days === 0 ? 0 : clock().getTime() - days * 86_400_000
      lines = lines.filter(({ at }) => at > since)
      return lines
        .slice(-MAX_LINES)
        .map(({ line }) => line)
        .join('')
    },
  }
}
