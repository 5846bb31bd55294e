import { showToast } from '#islands/_toast.ts'

/** A page without TLS has no clipboard; there the text is shown, to be copied by hand. */
export async function copyText(name: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(`${name} copied`)
  } catch {
    showToast(`Copy this: ${text}`, 'info')
  }
}
