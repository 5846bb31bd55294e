import { carryResult } from '#islands/ui/_result.ts'

/** Puts the next step of a form in its place, and calls the page after it. */
export function showNextStep(began: Element, step: Element): void {
  carryResult(() => began.replaceWith(step))
  const title = step.querySelector('h1')
  document.title = document.title.replace(/^.*(?= · )/, () => title?.textContent ?? '')
  title?.focus()
}
