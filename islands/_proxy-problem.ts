const FROM_PROXIES: Record<number, string> = {
  413: 'This site takes no file of this size. Try a smaller one, or ask the operator (client_max_body_size in nginx).',
  502: 'The site is restarting. Try again in a minute.',
  503: 'The site is restarting. Try again in a minute.',
  504: 'The site took too long to answer. Look whether it was done before you try again.',
}

/** Returns the sentence for an answer without one of this server, which a proxy in front of it gives. */
export function proxyProblem(status: number): string {
  return FROM_PROXIES[status] ?? ''
}
