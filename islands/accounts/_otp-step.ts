import type { SentOtp } from '#components/accounts/otp-parts.tsx'
import { countdownText, minutesSeconds, showOtp } from '#domain/accounts/registration.ts'
import { listen } from '#islands/_listen.ts'
import { showNextStep } from '#islands/accounts/_next-step.ts'

/** Puts the step that takes the OTP in place of the form that asked for it. */
export function showSecondStep(form: HTMLFormElement, contact: string, sent: SentOtp): void {
  const template = document.getElementById('login-second-step') as HTMLTemplateElement
  const step = document.importNode(template.content, true).firstElementChild as HTMLFormElement
  const hidden = step.querySelector<HTMLInputElement>('input[type="hidden"]')
  if (hidden) hidden.value = contact
  write(step, '[data-sent-to]', contact)
  showNextStep(form, step)
  showSentOtp(step, sent)
}

/** Shows the OTP of test mode, and counts down to the end of the one that was sent. */
export function showSentOtp(step: HTMLFormElement, { secondsLeft, testOtp }: SentOtp): void {
  const box = step.querySelector<HTMLElement>('.otp-box')
  if (box) box.hidden = !testOtp
  write(step, '.otp-box b', showOtp(testOtp ?? ''))
  countDown(step, secondsLeft)
}

/** Counts down the wait that the page came with, and fills in the OTP of test mode. */
export function watchCountdown(): void {
  listen('click', '[data-action="fill-otp"]', (button) => {
    const form = button.closest('form')
    const field = form?.querySelector<HTMLInputElement>('[name="otp"]')
    const shown = form?.querySelector('.otp-box b')?.textContent ?? ''
    if (field) field.value = shown.replace(' ', '')
  })
  const step = document.querySelector<HTMLProgressElement>('.countdown progress')
  const form = step?.closest('form')
  if (form) countDown(form, step?.value ?? 0)
}

let timer: ReturnType<typeof setInterval> | undefined

/** Seconds until an OTP ends, counted by the browser's own clock from when it heard of it. */
function countDown(form: HTMLFormElement, seconds: number): void {
  const endsAt = Date.now() + seconds * 1000
  const resend = form.querySelector<HTMLButtonElement>('[name="resend"]')
  function tick() {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))
    write(form, '.countdown time', minutesSeconds(left))
    write(form, '.countdown [role="status"]', countdownText(left))
    form.querySelector('progress')?.setAttribute('value', String(left))
    // While an answer is awaited, all buttons are disabled.
    if (form.ariaBusy === 'true') return
    if (resend) resend.disabled = left > 0
    if (left === 0) clearInterval(timer)
  }
  clearInterval(timer)
  timer = setInterval(tick, 1000)
  tick()
}

/** Writes a text only if it differs, so that screen readers do not repeat it. */
function write(within: Element, selector: string, text: string): void {
  const element = within.querySelector(selector)
  if (element && element.textContent !== text) element.textContent = text
}
