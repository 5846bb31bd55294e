import { getAccount } from '#db/accounts/accounts.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { hashToken } from '#db/secrets.ts'
import type { Deps } from '#routes/_http/deps.ts'
import type { TestApp } from '#tests/support/app.ts'

/** The caller of a request with a new session of the account. */
export async function newCaller({ deps }: { deps: Deps }, accountId: string): Promise<Caller> {
  const account = await getAccount(deps.db, accountId)
  const { cookieToken } = await deps.sessions.start(account)
  return { accountId, credential: { kind: 'session', id: hashToken(cookieToken) } }
}

/** A request with JSON whose body arrives only once `meanwhile` is done; answers its status. */
export async function askSlowly(
  app: Pick<TestApp, 'ask'>,
  path: string,
  as: { bearerToken: string },
  json: object,
  meanwhile: () => Promise<unknown>,
) {
  const body = new Blob([JSON.stringify(json)], { type: 'application/json' })
  return (await sendSlowly(app, { path, as, body }, meanwhile)).status
}

type Slow = {
  method?: string
  path: string
  as?: { bearerToken: string }
  headers?: Record<string, string>
  body: Blob | FormData
}

/** Sends any body like `askSlowly`; returns the whole answer. */
export async function sendSlowly(
  { ask }: Pick<TestApp, 'ask'>,
  { method = 'POST', path, as, headers, body: whole }: Slow,
  meanwhile: () => Promise<unknown>,
): Promise<Response> {
  const request = new Request('http://localhost', { method: 'POST', body: whole })
  const sent = new Uint8Array(await request.arrayBuffer())
  const source = {
    async pull(controller: ReadableStreamDefaultController) {
      await meanwhile()
      controller.enqueue(sent)
      controller.close()
    },
  }
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const type = request.headers.get('Content-Type') ?? ''
  const said = { ...headers, 'Content-Type': type, 'Content-Length': String(sent.length) }
  return ask(method, path, { ...(as && { as }), body, headers: said })
}
