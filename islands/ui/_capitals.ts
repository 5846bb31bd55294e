import { listen } from '#islands/_listen.ts'

/** Writes what is typed in capitals, as the server takes it. */
export function watchCapitals(): void {
  listen<HTMLInputElement>('input', '[data-action="capitals"]', (field) => {
    const { selectionStart, selectionEnd } = field
    field.value = field.value.toUpperCase()
    field.setSelectionRange(selectionStart, selectionEnd)
  })
}
