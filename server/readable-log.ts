const LEVELS: Record<number, string> = { 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
/** Fields that are shown elsewhere in the line, or are the same on every line of one process. */
const LEFT_OUT = ['level', 'time', 'pid', 'hostname', 'msg', 'err']

/** Turns each line of JSON into one that a person can read at a terminal. */
export function toReadable(next: { write(line: string): unknown }) {
  return { write: (line: string) => void next.write(readable(JSON.parse(line))) }
}

type Entry = { level: number; time: number; msg?: string; err?: { stack?: string } }

/** Formats an entry. Values are quoted as in JSON, so that they cannot send escape sequences to the terminal. */
function readable(entry: Entry): string {
  const { level, time, msg = 'request', err } = entry
  const facts = Object.entries(entry)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(
      ([name, value]) =>
        `${name}=${/^[\w./:@-]+$/.test(String(value)) ? value : JSON.stringify(value)}`,
    )
  const start = `${new Date(time).toTimeString().slice(0, 8)} ${LEVELS[level] ?? 'debug'} ${msg}`
  const stack = err?.stack?.replaceAll(/[^\P{Cc}\n]/gu, ' ')
  return `${[start, ...facts].join(' ')}\n${stack ? `${stack}\n` : ''}`
}
