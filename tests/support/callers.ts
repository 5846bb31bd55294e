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

/** A request whose body arrives only once `meanwhile` is done. */
export async function askSlowly(
  { ask }: Pick<TestApp, 'ask'>,
  path: string,
  as: { bearerToken: string },
  json: object,
  meanwhile: () => Promise<unknown>,
) {
  const sent = new TextEncoder().encode(JSON.stringify(json))
  const source = {
    async pull(controller: ReadableStreamDefaultController) {
      await meanwhile()
      controller.enqueue(sent)
      controller.close()
    },
  }
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(sent.length) }
  return (await ask('POST', path, { as, body, headers })).status
}
