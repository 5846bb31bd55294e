import type { ConversationsTable } from '#db/schema.ts'
import { PHOTO_FILE } from '#db/stored-files.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { answerFile } from '#routes/_http/papers/stored-files.ts'

/** Sends the photo of a conversation; undefined when there is none. */
export async function answerPhoto(
  c: AppContext,
  { photo_name }: Pick<ConversationsTable, 'photo_name'>,
): Promise<Response | undefined> {
  if (!photo_name) return undefined
  const served = { stored_name: photo_name, file_name: PHOTO_FILE } as const
  return answerFile(c, { ...served, isOpen: false, way: 'inline' })
}
