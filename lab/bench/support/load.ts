import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, installPackages } from '#scripts/bootstrap/debian.mjs'

export type Load = { requestsPerSecond: number; requests: number; p99Ms: number }

const CONNECTIONS = 32
/** The programs for load and comparison; their Debian packages have the same names. */
const TOOLS = ['wrk', 'sqlite3']
/** The core of the load and of a database server. */
export const CLIENT_CORE = '1'

/** Installs missing programs where that is possible, and throws where it is not. */
export function prepareTools(): void {
  const missing = () => TOOLS.filter((program) => !findProgram([program]))
  if (missing().length > 0) installPackages(missing())
  if (missing().length > 0) throw new Error(`Install ${missing().join(' and ')}`)
}

/** Keeps this process off the server's core while it sends requests. */
export async function onClientCore<T>(work: () => Promise<T>): Promise<T> {
  const pid = String(process.pid)
  const pin = (cores: string) =>
    execFileSync('taskset', ['-a', '-p', '-c', cores, pid], { stdio: 'ignore' })
  const before = execFileSync('taskset', ['-p', '-c', pid], { encoding: 'utf8' })
  pin(CLIENT_CORE)
  try {
    return await work()
  } finally {
    pin(before.slice(before.lastIndexOf(' ')).trim())
  }
}

/**
 * Requests random paths of a list with wrk. The requests are formatted in `init`, because elsewhere they
 * would have no Host header and every answer would be a quick 400.
 */
export async function load(
  url: string,
  paths: string[],
  seconds: number,
  headers: Record<string, string> = {},
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-load-'))
  const script = join(folder, 'wrk.lua')
  writeFileSync(script, luaScript(paths, headers))
  const args = [
    '-c',
    CLIENT_CORE,
    'wrk',
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '-s',
    script,
    url,
  ]
  const { stdout } = await promisify(execFile)('taskset', args).finally(() =>
    rmSync(folder, { recursive: true }),
  )
  const result = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as Record<string, number>
  if (result.refused || result.failed) {
    throw new Error(`${url}: ${result.refused} answers were errors, ${result.failed} got none`)
  }
  return {
    requests: result.requests ?? 0,
    requestsPerSecond: (result.requests ?? 0) / ((result.us ?? 0) / 1e6),
    p99Ms: (result.p99us ?? 0) / 1000,
  }
}

function luaScript(paths: string[], headers: Record<string, string>): string {
  const set = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  return `
local paths = { ${paths.map((path) => `"${path}"`).join(',')} }
local requests = {}
function init(args)
  ${set.join('\n  ')}
  for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end
  math.randomseed(os.time())
end
function request() return requests[math.random(#requests)] end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p99us":%d,"refused":%d,"failed":%d}\\n',
    summary.requests, summary.duration, latency:percentile(99), e.status, e.connect + e.read + e.timeout))
end
`
}
