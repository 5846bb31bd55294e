import { listen } from '#islands/_listen.ts'
import { showToast } from '#islands/_toast.ts'

/** A page without TLS has no clipboard; there the text is shown, to be copied by hand. */
export async function copyText(name: string, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(`${name} copied`)
    return true
  } catch {
    showToast(`Copy this: ${text}`, 'info')
    return false
  }
}

/** Copies what stands in a field, which a button names. */
export function watchCopying(): void {
  listen<HTMLButtonElement>(
    'click',
    '[data-action="copy"]',
    async ({ dataset, lastElementChild }) => {
      const field = document.getElementById(dataset.from ?? '') as HTMLInputElement
      const isCopied = await copyText(dataset.name ?? '', field.value)
      if (isCopied && lastElementChild) lastElementChild.textContent = 'Copied'
      if (!isCopied) field.select()
    },
  )
}
