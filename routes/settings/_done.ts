const DONE = {
  'key-revoked': 'API key revoked',
} as const

export type Done = keyof typeof DONE

/** What a page of Settings says when a form led to it; with script a toast says it. */
export function doneText(done = ''): string | undefined {
  return Object.hasOwn(DONE, done) ? DONE[done as Done] : undefined
}
