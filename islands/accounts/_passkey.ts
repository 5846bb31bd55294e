/** The only module that uses @simplewebauthn/browser. It is loaded when a passkey can be used. */

import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { callApi } from '#islands/_api.ts'
import { ApiProblem } from '#islands/_api-problem.ts'
import { markBusy, NO_ANSWER } from '#islands/_forms.ts'
import { enterDashboard } from '#islands/accounts/_login-calls.ts'
import { dismissErrors, showResult } from '#islands/ui/_result.ts'

/** Signs in by a passkey, or puts the answer of one into the form that asks for it and sends the form. */
export async function askPasskey(control: HTMLElement): Promise<void> {
  dismissErrors()
  const within = control.closest<HTMLElement>('form, .sheet') ?? control
  const release = markBusy(within, control)
  try {
    const answer = await ASKS[control.dataset.passkey ?? '']?.(control)
    if (answer && within instanceof HTMLFormElement) sendWith(within, answer, release)
  } catch (error) {
    release()
    showResult(reasonOf(error), 'error')
  }
}

const ASKS: Record<string, (control: HTMLElement) => Promise<object>> = {
  'sign-in': async () => enter(await askWith('/auth/passkey/options')),
  confirm: () => askWith('/account/confirm/options'),
  add: ({ dataset }) => startRegistration({ optionsJSON: JSON.parse(dataset.options ?? '') }),
}

/** Offers the passkeys of this device among what the browser fills in, until one was used. */
export async function offerPasskeys(): Promise<void> {
  // The user pressed the button instead, or did not ask for the failed sign-in.
  const answer = await askWith('/auth/passkey/options', true).catch(() => undefined)
  if (!answer) return
  try {
    await enter(answer)
  } catch (error) {
    showResult(reasonOf(error), 'error')
    await offerPasskeys()
  }
}

async function askWith(path: string, useBrowserAutofill = false) {
  const optionsJSON = await callApi<PublicKeyCredentialRequestOptionsJSON>('POST', path)
  return startAuthentication({ optionsJSON, useBrowserAutofill })
}

async function enter(answer: AuthenticationResponseJSON): Promise<never> {
  const path = '/auth/passkey/verify'
  const { session_token } = await callApi<{ session_token: string }>('POST', path, answer)
  return enterDashboard(session_token, 'Login successful!')
}

function sendWith(form: HTMLFormElement, answer: object, release: () => void): void {
  const field = form.elements.namedItem('passkey') as HTMLInputElement
  field.value = JSON.stringify(answer)
  release()
  form.requestSubmit()
  // An answered request is not sent a second time, except for a new passkey: the browser would put
  // another in the place of one whose answer was lost.
  if (!form.dataset.passkey) field.value = ''
}

const REASONS: Record<string, string> = {
  InvalidStateError: 'This device has a passkey of your account already',
  NotAllowedError: 'No passkey was used',
  SecurityError: 'Passkeys do not work at this address',
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.message || NO_ANSWER
  return REASONS[(error as Error).name] ?? 'Passkeys do not work in this browser'
}
