/** Leads to the first field, or the first choice of a group, that says what is wrong with it. */
export function focusInvalid(form: HTMLFormElement | null): void {
  const first = '[aria-invalid="true"], fieldset[aria-describedby] input'
  form?.querySelector<HTMLElement>(first)?.focus()
}
