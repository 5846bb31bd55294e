/** Moves the focus to the first field, or the first choice of a group, that has a problem. */
export function focusInvalid(within: ParentNode | null): void {
  const first = '[aria-invalid="true"], fieldset[aria-describedby] input'
  within?.querySelector<HTMLElement>(first)?.focus()
}
