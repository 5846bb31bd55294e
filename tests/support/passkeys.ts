import { EMAIL, post } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { makeSoftwarePasskey } from '#tests/support/software-passkey.ts'

export const WRONG_PASSKEY = { status: 401, body: { detail: 'That passkey could not be checked' } }

type Signed = { bearerToken: string }

/** An account, a software passkey that is not added yet, and the calls of passkeys. */
export async function openPasskeys({
  account = {},
  key = makeSoftwarePasskey(),
  ...options
}: Parameters<typeof openTestApp>[0] & {
  account?: object
  key?: ReturnType<typeof makeSoftwarePasskey>
} = {}) {
  const app = await openTestApp(options)
  const owner = await app.signUp({ email: EMAIL, ...account })
  const ofAccount = async (method: string, path: string, json?: unknown, as: Signed = owner) => {
    const answer = await app.ask(method, `/api/account${path}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const call = (method: string, path: string, json?: unknown, as?: Signed) =>
    ofAccount(method, `/passkeys${path}`, json, as)
  const add = async (passkey = key, as: Signed = owner, name = 'Phone') => {
    const { body } = await call('POST', '/options', undefined, as)
    return call('POST', '', { name, ...passkey.create(body) }, as)
  }
  const challenge = async (): Promise<string> =>
    (await post(app, 'passkey/options', undefined)).body.challenge
  const confirmChallenge = async (as?: Signed): Promise<string> =>
    (await ofAccount('POST', '/confirm/options', undefined, as)).body.challenge
  const verify = (answer: unknown) => post(app, 'passkey/verify', answer)
  return { ...app, owner, ofAccount, call, key, add, challenge, confirmChallenge, verify }
}
