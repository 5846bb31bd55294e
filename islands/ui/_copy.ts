import { listen } from '#islands/_listen.ts'
import { showResult } from '#islands/ui/_result.ts'

/**
 * Copies a text, and says so after `before`. A page without TLS has no clipboard; there the text is shown, to be copied
 * by hand.
 */
export async function copyText(name: string, text: string, before = ''): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    showResult(`${before} ${name} copied`.trim())
    return true
  } catch {
    // An error stays until it is dismissed.
    showResult(`Copy this: ${text}`, 'error')
    return false
  }
}

/** Copies the text that a button names, or the value of a field. */
export function watchCopying(): void {
  listen<HTMLButtonElement>('click', '[data-action="copy"]', async (button) => {
    const { name = '', text = '', from = '' } = button.dataset
    const field = document.getElementById(from) as HTMLInputElement | null
    const isCopied = await copyText(name, field?.value ?? text)
    const label = button.querySelector('span')
    if (isCopied && label) label.textContent = 'Copied'
    if (!isCopied) field?.select()
  })
}
