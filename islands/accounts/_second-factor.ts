import type { FactorWay } from '#domain/accounts/second-factor.ts'
import { showNextStep } from '#islands/accounts/_next-step.ts'

/** The answer to a sign-in: a session, or a ticket for the second step. */
export type SignInAnswer = { session_token: string } | HalfSignedIn
type HalfSignedIn = { second_factor: true; ticket: string; ways: FactorWay[] }

/** Replaces the first step of a sign-in by the second. */
export function showSecondFactor(began: Element, { ticket, ways }: HalfSignedIn): void {
  const template = document.getElementById('login-second-factor') as HTMLTemplateElement
  const step = document.importNode(template.content, true).firstElementChild as HTMLFormElement
  const hidden = step.querySelector<HTMLInputElement>('input[name="ticket"]')
  if (hidden) hidden.value = ticket
  for (const each of step.querySelectorAll<HTMLElement>('[data-way]')) {
    if (!ways.includes(each.dataset.way as FactorWay)) each.remove()
  }
  if (!ways.includes('code')) step.querySelector('details')?.toggleAttribute('open', true)
  showNextStep(began, step)
}
