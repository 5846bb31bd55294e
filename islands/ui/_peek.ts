import { listen } from '#islands/_listen.ts'

const BUTTON = 'button[data-peek]'

/**
 * Shows a typed password, and hides it again. Before it is sent or its page is left it is a password again, which a
 * browser keeps for no other field.
 */
export function watchPeeking(): void {
  // The focus stays in the field, and with it the keyboard of a phone.
  document.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest(BUTTON)) event.preventDefault()
  })
  listen<HTMLButtonElement>('click', BUTTON, toggle)
  document.addEventListener('submit', ({ target }) => hideIn(target as HTMLFormElement), true)
  addEventListener('pagehide', () => hideIn(document))
}

function toggle(button: HTMLButtonElement): void {
  const field = button.previousElementSibling as HTMLInputElement
  const { selectionStart, selectionEnd } = field
  const isShown = field.type === 'password'
  field.type = isShown ? 'text' : 'password'
  field.autocapitalize = 'none'
  // Browsers forget the caret when the type changes.
  field.setSelectionRange(selectionStart, selectionEnd)
  button.ariaPressed = String(isShown)
  button.querySelector('use')?.setAttribute('href', isShown ? '#i-hide' : '#i-eye')
  const label = button.querySelector('span')
  const { peek = '' } = button.dataset
  button.dataset.peek = label?.textContent ?? ''
  if (label) label.textContent = peek
}

function hideIn(within: ParentNode): void {
  within.querySelectorAll<HTMLButtonElement>(`${BUTTON}[aria-pressed="true"]`).forEach(toggle)
}
