/**
 * Makes the chosen photo smaller: a bad network takes minutes for a camera's file. The message form loads this script
 * each time that a photo is chosen, so that the form itself stays small.
 */
import { PHOTO_FILES } from '#domain/papers/file-kind.ts'
import { makeSmaller } from '#islands/ui/_smaller-photo.ts'

const photo = document.querySelector<HTMLInputElement>('#photo') as HTMLInputElement
/** A smaller photo is quickly sent as it is. */
const LARGE_BYTES = 400_000

async function shrink(): Promise<void> {
  const [file] = photo.files ?? []
  photo.setCustomValidity('')
  if (!file || file.size < LARGE_BYTES) return
  const small = await makeSmaller(file)
  if (photo.files?.[0] !== file) return
  if (small.size > PHOTO_FILES.maxBytes) photo.setCustomValidity(photo.dataset.failed ?? '')
  if (small === file) return
  const files = new DataTransfer()
  files.items.add(small)
  photo.files = files.files
}

void shrink().finally(() => photo.dispatchEvent(new Event('small')))
