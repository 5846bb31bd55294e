/** Enough to see how a fault came about; a line is some 200 bytes. */
const MOST_LINES = 2_000

export type RecentLog = ReturnType<typeof openRecentLog>

/** Hands the log's lines on and keeps the last ones, for a super admin who has no shell. */
export function openRecentLog(next: { write(line: string): unknown }) {
  let lines: string[] = []
  return {
    write(line: string): void {
      next.write(line)
      lines.push(line)
      if (lines.length >= 2 * MOST_LINES) lines = lines.slice(-MOST_LINES)
    },
    /** The newest last, each with its line end. */
    read: (): string => lines.slice(-MOST_LINES).join(''),
  }
}
