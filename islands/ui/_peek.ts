import { listen } from '#islands/_listen.ts'

/** Shows a typed password, and hides it again. */
export function watchPeeking(): void {
  listen<HTMLButtonElement>('click', 'button[data-peek]', (button) => {
    const field = button.previousElementSibling as HTMLInputElement
    field.type = field.type === 'password' ? 'text' : 'password'
    const { textContent, dataset } = button
    button.textContent = dataset.peek ?? ''
    dataset.peek = textContent ?? ''
  })
}
