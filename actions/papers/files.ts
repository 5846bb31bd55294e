import type { ActionDeps } from '#actions/deps.ts'

/** Deletes files whose rows are gone. One that stays behind is in the log, and swept at a start. */
export async function removeStoredFiles(
  { files, log }: Pick<ActionDeps, 'files' | 'log'>,
  { stored_names }: { stored_names: string[] },
): Promise<void> {
  await files.remove(stored_names).catch((err) => {
    log.error({ err }, 'files left behind')
  })
}
