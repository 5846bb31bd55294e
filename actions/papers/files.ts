import type { ActionDeps } from '#actions/deps.ts'

/** Deletes files whose rows were deleted. A failure is logged; the next start removes the file. */
export async function removeStoredFiles(
  { files, log }: Pick<ActionDeps, 'files' | 'log'>,
  { stored_names }: { stored_names: string[] },
): Promise<void> {
  await files.remove(stored_names).catch((err) => {
    log.error({ err }, 'files left behind')
  })
}
