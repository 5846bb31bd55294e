import { signInCode } from '#islands/_address.ts'
import { forgetSession } from '#islands/_api.ts'
import { showToast } from '#islands/ui/_toast.ts'

/** Whoever gets to see the login page is signed out, or is being signed in. */
export function forgetSignedOut(): void {
  const page = document.querySelector<HTMLElement>('[data-script="login"]')
  if (!page) return
  if (!signInCode()) forgetSession()
  const { said } = page.dataset
  if (!said) return
  showToast(said)
  history.replaceState(null, '', '/login')
}
