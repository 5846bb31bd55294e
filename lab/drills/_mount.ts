import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `use` with a new file system, which is unmounted afterwards. */
export async function withMounted<T>(
  work: string,
  options: string[],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(work, 'disk')
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', [...options, folder])
  try {
    return await use(folder)
  } finally {
    execFileSync('umount', [folder])
  }
}
