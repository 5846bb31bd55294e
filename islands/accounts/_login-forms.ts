import { type LoginField, placeProblem } from '#components/accounts/login-fields.ts'
import { ownProblem, type Problem } from '#components/forms/place-problem.ts'
import {
  contactProblem,
  loginProblem,
  otpProblem,
  registrationProblem,
  resetPasswordProblem,
  sendOtpProblem,
  stripOtp,
} from '#domain/accounts/registration.ts'
import { factorProblem } from '#domain/accounts/second-factor.ts'
import { callApi } from '#islands/_api.ts'
import { ApiProblem } from '#islands/_api-problem.ts'
import { markBusy } from '#islands/_forms.ts'
import { listen } from '#islands/_listen.ts'
import {
  enterDashboard,
  leaveTo,
  sendRecoveryOtp,
  sendRegistrationOtp,
} from '#islands/accounts/_login-calls.ts'
import { showSecondStep, showSentOtp, watchCountdown } from '#islands/accounts/_otp-step.ts'
import { type SignInAnswer, showSecondFactor } from '#islands/accounts/_second-factor.ts'
import { dismissErrors, showResult } from '#islands/ui/_result.ts'
import type { Refusal, RefusalTexts } from '#locales/refusal.ts'

type Fields = Partial<Record<LoginField | 'ticket' | 'recovery_code' | 'trust', string>>
type Act = {
  /** The rule that the server asks too: checked here as well, to save a round trip. */
  check(fields: Fields): Refusal | undefined
  send(fields: Fields, form: HTMLFormElement): Promise<void>
  /** the text of a failure for which the server gives no reason */
  failed: string
  /** Sends the OTP that the form waits for again. */
  resend?(fields: Fields): ReturnType<typeof sendRegistrationOtp>
}

/** The acts of the login page's forms, by their `data-login`. */
const ACTS: Record<string, Act> = {
  password: {
    check: ({ contact = '', password = '' }) => loginProblem({ contact, password }),
    send: ({ contact, password }, form) => signIn('/auth/login', { contact, password }, form),
    failed: 'Invalid email or password',
  },
  register: {
    check: ({ email = '' }) => sendOtpProblem(email),
    send: async ({ email = '' }, form) =>
      showSecondStep(form, email.trim(), await sendRegistrationOtp(email)),
    failed: 'Failed to send OTP',
  },
  code: askForOtp('code'),
  forgot: askForOtp('forgot'),
  'register-otp': {
    check: ({ name = '', password = '', confirm_password = '', otp = '' }) =>
      registrationProblem({ name, password, confirmPassword: confirm_password, otp }),
    send: async ({ email, name, password, otp }) => {
      const payload = { email, name, password, otp }
      const answer = await callApi<{ session_id: string }>('POST', '/auth/verify-otp', payload)
      await enterDashboard(answer.session_id, 'Registration completed successfully!')
    },
    failed: 'Failed to verify OTP',
    resend: ({ email = '' }) => sendRegistrationOtp(email),
  },
  'code-otp': {
    check: ({ otp = '' }) => otpProblem(otp),
    send: ({ contact, otp }, form) => signIn('/auth/login-otp', { contact, otp }, form),
    failed: 'Failed to verify OTP',
    resend: ({ contact = '' }) => sendRecoveryOtp('code', contact),
  },
  second: {
    check: factorProblem,
    send: async ({ ticket, code, recovery_code, trust }) => {
      const payload = { ticket, code, recovery_code, trust: trust === 'on' }
      const answer = await callApi<{ session_token: string }>(
        'POST',
        '/auth/second-factor',
        payload,
      )
      await enterDashboard(answer.session_token, 'Login successful!')
    },
    failed: 'Failed to verify the code',
  },
  'forgot-otp': {
    check: ({ contact = '', password = '', confirm_password = '', otp = '' }) =>
      resetPasswordProblem({ contact, password, confirmPassword: confirm_password, otp }),
    send: async ({ contact, otp, password }) => {
      await callApi('POST', '/auth/reset-password', { contact, otp, password })
      await leaveTo('/login?mode=password&reset=true')
    },
    failed: 'Failed to verify OTP',
    resend: ({ contact = '' }) => sendRecoveryOtp('forgot', contact),
  },
}

function askForOtp(mode: 'code' | 'forgot'): Act {
  return {
    check: ({ contact = '' }) => contactProblem(contact),
    send: async ({ contact = '' }, form) =>
      showSecondStep(form, contact.trim(), await sendRecoveryOtp(mode, contact)),
    failed: 'Failed to send OTP',
  }
}

async function signIn(path: string, payload: Fields, form: HTMLFormElement): Promise<void> {
  const answer = await callApi<SignInAnswer>('POST', path, payload)
  if ('ticket' in answer) return showSecondFactor(form, answer)
  await enterDashboard(answer.session_token, 'Login successful!')
}

/** Sends the forms of the login page as calls, whose answers have the token for later calls. */
export function watchLogin(): void {
  listen<HTMLFormElement>('submit', 'form[data-login]', (form, event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') void submit(form, (event as SubmitEvent).submitter)
  })
  listen<HTMLInputElement>('input', 'form[data-login] [name="otp"]', (field) => {
    field.value = stripOtp(field.value)
  })
  listen<HTMLAnchorElement>('click', 'form[data-login] a[href*="mode="]', takeContactAlong)
  fillInContact()
  watchCountdown()
}

const TYPED = 'driveqr_contact'

/** Carries the typed contact over to another way of signing in, without putting it into an address. */
function takeContactAlong(): void {
  const typed = contactField()?.value
  if (typed) sessionStorage.setItem(TYPED, typed)
}

function fillInContact(): void {
  const typed = sessionStorage.getItem(TYPED)
  sessionStorage.removeItem(TYPED)
  const field = contactField()
  if (typed && field && !field.value) field.value = typed
}

function contactField(): HTMLInputElement | null {
  return document.querySelector('form[data-login] input[name="contact"]')
}

async function submit(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  dismissErrors()
  const { check, send, failed, resend } = ACTS[form.dataset.login ?? ''] as Act
  const isResend = resend !== undefined && submitter?.getAttribute('name') === 'resend'
  const fields: Fields = Object.fromEntries(new FormData(form) as unknown as [string, string][])
  const refusal = isResend ? undefined : check(fields)
  showProblem(form, refusal && ownProblem(textsOf(), refusal))
  if (refusal) return
  const release = markBusy(form, submitter)
  try {
    const sent = isResend ? await resend(fields) : await send(fields, form)
    release()
    if (sent) showSentOtp(form, sent)
  } catch (error) {
    release()
    if (!(error instanceof ApiProblem)) throw error
    const { subject, message } = error
    showProblem(form, {
      subject,
      message: message || (isResend ? 'Failed to send OTP' : failed),
    })
  }
}

/** Says a problem above the fields, and beside its own one, which gets the focus. */
function showProblem(form: HTMLFormElement, problem: Problem | undefined): void {
  for (const said of form.querySelectorAll('.error, .note-stop')) said.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid')
    setDescription(field, (id) => !id.endsWith('-error'))
  }
  if (!problem) return
  const { message } = problem
  showResult(message, 'error')
  const inputs = [...form.querySelectorAll<HTMLInputElement>('.field input')]
  const { at } = placeProblem(problem, inputs.map(({ name }) => name) as LoginField[])
  const input = inputs.find(({ name }) => name in at)
  if (!input) return
  const error = errorWith(message)
  error.id = `${input.id}-error`
  ;(input.closest('.peekable') ?? input).after(error)
  input.setAttribute('aria-invalid', 'true')
  setDescription(input, () => true, error.id)
  input.focus()
}

function setDescription(field: Element, keep: (id: string) => boolean, ...more: string[]): void {
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
  const described = [...ids.filter(keep), ...more].join(' ')
  if (described) field.setAttribute('aria-describedby', described)
  else field.removeAttribute('aria-describedby')
}

function textsOf(): RefusalTexts {
  return JSON.parse(document.getElementById('login-error')?.dataset.texts ?? '{}')
}

function errorWith(text: string): HTMLElement {
  const template = document.getElementById('login-error') as HTMLTemplateElement
  const element = document.importNode(template.content, true).firstElementChild as HTMLElement
  element.append(text)
  return element
}
