/** Leads to the first field, or the first choice of a group, that says what is wrong with it. */
export function focusInvalid(within: ParentNode | null): void {
  const first = '[aria-invalid="true"], fieldset[aria-describedby] input'
  within?.querySelector<HTMLElement>(first)?.focus()
}
