/** Debian roots in new folders, as root and with Debian's own tools; arm64 is emulated elsewhere. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch as ownArch, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, installPackages } from '#scripts/bootstrap/debian.mjs'

/** The names of Node, which Debian shares but for x64. */
export type Arch = 'x64' | 'arm64'

export const debianArch = (arch: Arch) => (arch === 'x64' ? 'amd64' : arch)

const FORMATS = '/proc/sys/fs/binfmt_misc'
const FORMAT = 'driveqr-aarch64'
const EMULATOR = 'qemu-aarch64-static'
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt'
/** Where Debian's own package of certificates does not write over it. */
const BUNDLE_OF_ROOT = '/etc/ssl/machine.crt'

/** Runs a program on a given input, shows its output, and throws when it fails. */
export function run(command: string, args: string[], input = ''): void {
  const stdio = ['pipe', 'inherit', 'inherit'] as const
  const { error, status, signal } = spawnSync(command, args, { stdio: [...stdio], input })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? signal}`)
}

/** Prints a figure of a run, with the seconds that it took. */
export async function timed<T>(what: string, act: () => T | Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await act()
  console.log(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return result
}

/** Installs the missing ones of these programs, named with their Debian packages. */
export function needPrograms(programs: Record<string, string>): void {
  if (process.getuid?.() !== 0) throw new Error('Needs root')
  const missing = () => Object.keys(programs).filter((program) => !findProgram([program]))
  if (missing().length > 0) installPackages(missing().map((program) => programs[program] ?? ''))
  if (missing().length > 0) throw new Error(`Needs ${missing().join(', ')}`)
}

/** A new folder, removed after `use` with everything that was mounted in it. */
export async function withWorkFolder(use: (work: string) => Promise<void>): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'driveqr-debian-'))
  try {
    await use(work)
  } finally {
    unmountBelow(work)
    rmSync(work, { recursive: true, force: true })
  }
}

function unmountBelow(folder: string): void {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const points = mounts.map((line) => line.split(' ')[1] ?? '')
  // The latest first: it may be inside an earlier one. One that stays must not be emptied.
  for (const point of points.filter((each) => each.startsWith(`${folder}/`)).reverse()) {
    run('umount', [point])
  }
}

/**
 * Lets the kernel run arm64 programs by qemu, in other roots too, until `use` has ended. Does nothing
 * on arm64 itself, or where they run already.
 */
export async function withPrograms(arch: Arch, use: () => Promise<void>): Promise<void> {
  if (arch === ownArch() || existsSync(join(FORMATS, 'qemu-aarch64'))) return use()
  needPrograms({ [EMULATOR]: 'qemu-user-static' })
  if (!existsSync(join(FORMATS, 'register'))) {
    run('mount', ['-t', 'binfmt_misc', 'binfmt_misc', FORMATS])
  }
  // The header of an ELF file for arm64. F opens the emulator now, so that other roots need no copy.
  const [magic, mask] = [
    '\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00',
    '\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff',
  ]
  const rule = `:${FORMAT}:M::${magic}:${mask}:${findProgram([EMULATOR])}:FOC`
  writeFileSync(join(FORMATS, 'register'), rule)
  try {
    await use()
  } finally {
    writeFileSync(join(FORMATS, FORMAT), '-1')
  }
}

/** Fills a new folder with a minimal Debian and these packages, and this machine's certificates. */
export function makeDebianRoot(root: string, arch: Arch, packages: string[] = []): void {
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : []
  const args = [`--arch=${debianArch(arch)}`, '--variant=minbase', ...include, 'bookworm', root]
  run('debootstrap', args)
  // A root that is thrown away does not need to survive a power cut.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n')
  if (!existsSync(BUNDLE)) return
  run('install', ['-D', '-m', '644', BUNDLE, join(root, BUNDLE_OF_ROOT)])
  // A machine behind a proxy may have authorities of its own, which npm does not know.
  writeFileSync(join(root, 'root/.npmrc'), `cafile=${BUNDLE_OF_ROOT}\n`)
}
