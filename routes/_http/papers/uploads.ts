import type { HttpBindings } from '@hono/node-server'
import type { OpenUpload } from '#actions/papers/uploads.ts'
import type { Account } from '#db/schema.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { assertMayTry, limit } from '#routes/_http/rate-limits.ts'
import type { Sent } from '#storage/uploads.ts'

/**
 * What was sent, and who sent it. Only what begins is counted: a refused try uses up nothing of
 * the account's hour.
 */
export function sentBy(c: AppContext, { id }: Account): OpenUpload {
  return () => {
    assertMayTry(c, 'upload')
    const begin = () => limit(c, 'upload')
    return { headers: c.req.raw.headers, body: bodyOf(c), account: id, begin }
  }
}

/**
 * Node's own request where there is one: as a web stream, every piece of the body is copied, which
 * takes longer than all else that is done with it.
 */
function bodyOf(c: AppContext): Sent['body'] {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (incoming) return incoming.iterator({ destroyOnReturn: false })
  const stream = c.req.raw.body ?? new Blob().stream()
  return stream.values({ preventCancel: true })
}
