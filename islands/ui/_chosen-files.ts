import { listen } from '#islands/_listen.ts'
import { showResult } from '#islands/ui/_result.ts'

/**
 * Watches the files of forms that are sent whole. Makes a photo smaller that is above the limit of its field, and
 * refuses any other file above it before it is sent.
 */
export function watchChosenFiles(): void {
  listen<HTMLInputElement>(
    'change',
    'input[type="file"][data-most]',
    (input) => void makeFit(input),
  )
}

async function makeFit(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? []
  const { most, large = '' } = input.dataset
  if (!file || file.size <= Number(most)) return
  const { makeSmaller } = await import('#islands/ui/_smaller-photo.ts')
  const small = await makeSmaller(file)
  if (input.files?.[0] !== file) return
  const files = new DataTransfer()
  if (small.size <= Number(most)) files.items.add(small)
  else showResult(large, 'error')
  input.files = files.files
}
