import { signInCode } from '#islands/_address.ts'
import { forgetSession } from '#islands/_api.ts'
import { showResult } from '#islands/ui/_result.ts'

/** Forgets the session: the login page is only shown to signed-out people. */
export function forgetSignedOut(): void {
  const page = document.querySelector<HTMLElement>('[data-script="login"]')
  if (!page) return
  if (!signInCode()) forgetSession()
  const { said } = page.dataset
  if (!said) return
  showResult(said)
  history.replaceState(history.state, '', '/login')
}
