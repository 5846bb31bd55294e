/** What a sign-in is answered with: a session, or a ticket for the second step. */
export type SignInAnswer = { session_token: string } | { second_factor: true; ticket: string }

/** Puts the second step of a sign-in in the place of what began it. */
export function showSecondFactor(began: Element, ticket: string): void {
  const template = document.getElementById('login-second-factor') as HTMLTemplateElement
  const step = document.importNode(template.content, true).firstElementChild as HTMLFormElement
  const hidden = step.querySelector<HTMLInputElement>('input[name="ticket"]')
  if (hidden) hidden.value = ticket
  began.replaceWith(step)
  step.querySelector('h1')?.focus()
}
