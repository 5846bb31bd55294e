import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './say.mjs'

const STAMP = 'dist/.driveqr-stamp'
export const SOURCE_FOLDERS = [
  'server',
  'actions',
  'routes',
  'islands',
  'components',
  'domain',
  'locales',
  'db',
  'storage',
  'formats',
  'mail',
  'scripts',
]
export const SOURCE_FILES = [
  'server.ts',
  'app.ts',
  'config.ts',
  'package.json',
  'package-lock.json',
]

export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()
}

/** Builds with the given Node. Returns whether it succeeded. */
export function build(node) {
  say('Building (scripts/build.ts)')
  // Taken before the build, so that a change made while it runs makes the result stale.
  const before = fingerprint()
  rmSync(STAMP, { force: true })
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  const { status } = spawnSync(node, [...flags, 'scripts/build.ts'], { stdio: ['ignore', 2, 2] })
  if (status === 0) writeFileSync(STAMP, before)
  return status === 0
}

/** Hashes the names, times and sizes of all sources, which takes a few milliseconds. */
export function fingerprint() {
  return hashEach((path) => {
    const { mtimeMs, size } = statSync(path)
    return `${mtimeMs} ${size}`
  })
}

/** Hashes the contents of all sources: the same for each clone of a commit. */
export function hashSources() {
  return hashEach((path) => readFileSync(path))
}

/** Filled in by `git archive`, because a release tarball has no repository. */
const ARCHIVED = '.commit'

/** Names a build by its commit, where one is known, and by the hash of its sources, which may differ from it. */
export function nameBuild() {
  const commit = process.env.COMMIT || commitOfRepository() || commitOfArchive()
  return [...(commit ? [commit.slice(0, 8)] : []), hashSources().slice(0, 8)].join('.')
}

function commitOfRepository() {
  // Not that of a repository around this folder.
  if (!existsSync('.git')) return undefined
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function commitOfArchive() {
  const text = existsSync(ARCHIVED) ? readFileSync(ARCHIVED, 'utf8') : ''
  return /^[0-9a-f]{40}$/m.exec(text)?.[0]
}

function hashEach(read) {
  const hash = createHash('sha256')
  for (const path of [...SOURCE_FILES, ...SOURCE_FOLDERS.flatMap(filesBelow)].sort()) {
    if (existsSync(path)) hash.update(`${path} `).update(read(path)).update('\n')
  }
  return hash.digest('hex')
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
