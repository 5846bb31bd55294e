import { writeFile } from 'node:fs/promises'
import type { QrCode } from '#db/schema.ts'
import type { Installation } from '#scripts/_context.ts'
import type { Sample } from '#scripts/_sample.ts'
import type { SampleFile } from '#scripts/_sample-papers.ts'
import type { Random } from '#scripts/_sample-random.ts'
import type { FileStore } from '#storage/files.ts'

/** The rows and the file store that the history of the sample builds on. */
export type Made = Installation & {
  people: Sample['people']
  codes: QrCode[]
  random: Random
  files: FileStore
}

export const noMail = async () => {}

type Sent = { path: string; file_name: string; fields: Record<string, string> }

/** Stores a file like an upload, by way of a temporary file. */
export async function withFile<T>(
  files: FileStore,
  { content, file_name }: SampleFile,
  keep: (files: FileStore, upload: Sent) => Promise<T>,
): Promise<T> {
  const path = files.newTemporary()
  try {
    await writeFile(path, content, { mode: 0o600 })
    return await keep(files, { path, file_name, fields: {} })
  } finally {
    await files.discard([path])
  }
}
