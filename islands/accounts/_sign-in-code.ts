import { signInCode } from '#islands/_address.ts'
import { callApi } from '#islands/_api.ts'
import { enterDashboard } from '#islands/accounts/_login-calls.ts'
import { type SignInAnswer, showSecondFactor } from '#islands/accounts/_second-factor.ts'
import { showResult } from '#islands/ui/_result.ts'

/**
 * Turns the code that a sign-in elsewhere leaves in the page's address into a session. It works
 * once; the dashboard, or else the error, takes its place in the address.
 */
export async function exchangeSignInCode(): Promise<void> {
  const session_id = signInCode()
  if (!session_id) return
  try {
    const answer = await callApi<SignInAnswer>('POST', '/auth/session', { session_id })
    if ('ticket' in answer) {
      history.replaceState(null, '', location.pathname + location.search)
      const began = document.querySelector('.narrow-page > .sheet')
      if (!began) throw new Error('log out first, another step is needed')
      return showSecondFactor(began, answer)
    }
    await enterDashboard(answer.session_token, 'Welcome! You are now logged in.')
  } catch (error) {
    history.replaceState(null, '', location.pathname + location.search)
    const why = (error as Error).message || 'the server could not be reached'
    showResult(`Login failed: ${why}`, 'error')
  }
}
