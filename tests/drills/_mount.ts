import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `use` with a file system of the drill's own, which is gone afterwards. */
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
