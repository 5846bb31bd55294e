import { forgetSession } from '#islands/_api.ts'
import { showToast } from '#islands/ui/_toast.ts'

const CODE = /^#session_id=([\w-]+)$/

/** What a sign-in elsewhere leaves in the page's address. */
export function signInCode(): string | undefined {
  return CODE.exec(location.hash)?.[1]
}

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
