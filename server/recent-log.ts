/** Enough to find the cause of a fault. A line has about 200 bytes. */
const MOST_LINES = 2_000

export type RecentLog = ReturnType<typeof openRecentLog>

/** Passes on the log's lines and keeps the last ones, for a super admin without a shell. */
export function openRecentLog(next: { write(line: string): unknown }) {
  let lines: string[] = []
  return {
    write(line: string): void {
      next.write(line)
      lines.push(line)
      if (lines.length >= 2 * MOST_LINES) lines = lines.slice(-MOST_LINES)
    },
    /** The kept lines, the newest last. */
    read: (): string => lines.slice(-MOST_LINES).join(''),
  }
}
