import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A call of the server to its disk, or an answer, in order of time. */
export type Syscall =
  | { call: 'write'; path: string; data: Buffer; offset: number | undefined }
  | { call: 'truncate'; path: string; length: number }
  | { call: 'create'; path: string; empties: boolean }
  | { call: 'rename'; path: string; to: string }
  | { call: 'unlink'; path: string }
  /** Covers the calls before number `since` of this list. */
  | { call: 'sync'; path: string; since: number }
  | { call: 'answer'; requestId: string }

const CALLS =
  'openat,pwrite64,write,writev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat'

/** The command that runs a server and writes a file for `readSyscalls`. */
export function traced(file: string): string[] {
  const form = ['-f', '-y', '-xx', '-s', '1000000', '--seccomp-bpf']
  return ['strace', ...form, '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', file]
}

/**
 * Reads the calls of a log in order. If the log shows a call in two parts, a write or an answer counts at
 * its first line and a sync at its last line, which is the worst case.
 */
export async function readSyscalls(file: string): Promise<Syscall[]> {
  const calls: Syscall[] = []
  const begun = new Map<string, { text: string; since: number }>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, pid = '', text = ''] = line.match(/^(\d+) +(.*)$/) ?? []
    const unfinished = text.match(/^(.*) <unfinished \.\.\.>$/)?.[1]
    const resumed = text.match(/^<\.\.\. \w+ resumed>(.*)$/)?.[1]
    if (unfinished !== undefined) {
      begun.set(pid, { text: unfinished, since: calls.length })
      if (!isSettling(unfinished)) push(calls, parse(unfinished, calls.length))
    } else if (resumed !== undefined) {
      const { text: first, since } = begun.get(pid) ?? { text: '', since: 0 }
      begun.delete(pid)
      if (isSettling(first) && hasSucceeded(resumed)) push(calls, parse(first + resumed, since))
    } else if (hasSucceeded(text)) push(calls, parse(text, calls.length))
  }
  return calls
}

const isSettling = (text: string) => /^(fsync|fdatasync|rename|unlink|openat)/.test(text)
const hasSucceeded = (text: string) => !/ = -1 /.test(text)

function push(calls: Syscall[], call: Syscall | undefined): void {
  if (call) calls.push(call)
}

function parse(text: string, since: number): Syscall | undefined {
  const name = text.slice(0, text.indexOf('('))
  const path = readPath(text.match(/^\w+\(\d+<([^>]*)>/)?.[1] ?? '')
  if (name === 'fsync' || name === 'fdatasync') return { call: 'sync', path, since }
  if (name === 'ftruncate') {
    return { call: 'truncate', path, length: Number(text.match(/, (\d+)/)?.[1]) }
  }
  const strings = Array.from(text.matchAll(/"([^"]*)"/g), (match) => decode(match[1] ?? ''))
  const [first = '', second = ''] = strings.map(String)
  if (name.startsWith('rename')) return { call: 'rename', path: first, to: second }
  if (name.startsWith('unlink')) return { call: 'unlink', path: first }
  if (name === 'openat') {
    const empties = text.includes('O_TRUNC')
    return text.includes('O_CREAT') ? { call: 'create', path: first, empties } : undefined
  }
  return parseWrite(text, path, Buffer.concat(strings))
}

function parseWrite(text: string, path: string, data: Buffer): Syscall | undefined {
  if (path.startsWith('/')) {
    const offset = text.match(/^pwrite64\(.*, (\d+)(?:\) .*)?$/)?.[1]
    return { call: 'write', path, data, offset: offset === undefined ? undefined : Number(offset) }
  }
  const requestId = data.toString('latin1').match(/^x-request-id: (\S+)/im)?.[1]
  return path.startsWith('socket:') && requestId ? { call: 'answer', requestId } : undefined
}

const readPath = (escaped: string) => decode(escaped).toString()

function decode(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex')
}
