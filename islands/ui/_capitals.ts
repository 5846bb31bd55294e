import { listen } from '#islands/_listen.ts'

/** Writes typed letters in capitals, as the server stores them. */
export function watchCapitals(): void {
  listen<HTMLInputElement>('input', '[data-action="capitals"]', (field) => {
    const { selectionStart, selectionEnd } = field
    field.value = field.value.toUpperCase()
    field.setSelectionRange(selectionStart, selectionEnd)
  })
}
