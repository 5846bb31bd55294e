import { listen } from '#islands/_listen.ts'
import { showResult } from '#islands/ui/_result.ts'

/** Loads the passkey script when it is first used. */
export function watchPasskeys(): void {
  listen('click', 'button[data-passkey]', (button) => void ask(button))
  listen<HTMLFormElement>('submit', 'form[data-passkey]', (form, event) => {
    const answer = form.elements.namedItem('passkey') as HTMLInputElement
    if (answer.value) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') void ask(form)
  })
}

async function ask(control: HTMLElement): Promise<void> {
  const script = await import('#islands/accounts/_passkey.ts').catch(() => undefined)
  if (script) await script.askPasskey(control)
  else showResult('Passkeys could not be loaded. Load this page again.', 'error')
}

/** Offers passkeys in the browser's autofill, after everything else of the page has loaded. */
export async function offerAmongFilled(): Promise<void> {
  if (!document.querySelector('[autocomplete~="webauthn"]')) return
  const isOffered = await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()
  if (!isOffered) return
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  }
  const { offerPasskeys } = await import('#islands/accounts/_passkey.ts')
  await offerPasskeys()
}
