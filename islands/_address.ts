/** Takes these names out of the page's address, without a new entry in the history. */
export function dropFromAddress(...names: readonly string[]): void {
  const query = new URLSearchParams(location.search)
  for (const name of names) query.delete(name)
  const rest = query.size > 0 ? `?${query}` : ''
  history.replaceState(history.state, '', location.pathname + rest)
}

/** Returns the code that a sign-in elsewhere has put into the page's address. */
export function signInCode(): string | undefined {
  return /^#session_id=([\w-]+)$/.exec(location.hash)?.[1]
}
