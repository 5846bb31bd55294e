import type { AppContext } from '#routes/_http/context.ts'

/** Whether the client already has this version. */
export function isKnown(c: AppContext, etag: string): boolean {
  const header = c.req.header('If-None-Match') ?? ''
  const known = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
