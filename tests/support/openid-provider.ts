import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

export const CLIENT = { GOOGLE_CLIENT_ID: 'driveqr', GOOGLE_CLIENT_SECRET: 'our secret' }

/** A misbehaviour of a provider: wrong claims and broken answers. */
export type Mood = {
  claims?: JWTPayload & Record<string, unknown>
  /** replaced answers, by path */
  answers?: Record<string, { status?: number; body?: string }>
  signedBy?: 'another key' | 'our secret' | 'nobody'
}

type Asked = { nonce: string; challenge: string }

/** An OpenID provider on loopback for one test, which signs everybody in. */
export async function openProvider() {
  const [keys, others] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const publicKey = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }
  const codes = new Map<string, Asked>()
  const seen: string[] = []
  let mood: Mood = {}

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] as string
    seen.push(path)
    const { status = 200, body } = mood.answers?.[path] ?? (await answer(path, request))
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(path: string, request: IncomingMessage) {
    if (path === '/jwks') return { body: JSON.stringify({ keys: [publicKey] }) }
    if (path === '/token') return redeem(new URLSearchParams(await textOf(request)), request)
    const found = {
      issuer,
      authorization_endpoint: `${issuer}/authorize?prompt=select_account`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    }
    return { body: JSON.stringify(found) }
  }

  async function redeem(form: URLSearchParams, { headers }: IncomingMessage) {
    const client = `${CLIENT.GOOGLE_CLIENT_ID}:${CLIENT.GOOGLE_CLIENT_SECRET}`
    const isClient = headers.authorization === `Basic ${Buffer.from(client).toString('base64')}`
    const code = form.get('code') ?? ''
    const asked = codes.get(code)
    codes.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (!isClient || asked?.challenge !== challenge) {
      return { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) }
    }
    const id_token = await idToken(asked.nonce)
    return { body: JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token }) }
  }

  function idToken(nonce: string): Promise<string> {
    const right = {
      iss: issuer,
      sub: '1001',
      aud: CLIENT.GOOGLE_CLIENT_ID,
      nonce,
      email: 'Asha@example.in',
      email_verified: true,
      name: 'Asha Patil',
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 600,
    }
    const claims = { ...right, ...mood.claims }
    if (mood.signedBy === 'nobody') return Promise.resolve(unsigned(claims))
    if (mood.signedBy === 'our secret') {
      const secret = new TextEncoder().encode(CLIENT.GOOGLE_CLIENT_SECRET.padEnd(32))
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret)
    }
    const { privateKey } = mood.signedBy === 'another key' ? others : keys
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
  }

  return {
    env: { ...CLIENT, GOOGLE_ISSUER: issuer },
    seen,
    behave(next: Mood) {
      mood = next
    },
    /** Follows an authorisation URL and signs in. Returns the URL it redirects back to. */
    signIn(location: string): string {
      const { searchParams } = new URL(location)
      const code = `code-${codes.size}-${Math.random()}`
      const challenge = searchParams.get('code_challenge') ?? ''
      codes.set(code, { nonce: searchParams.get('nonce') ?? '', challenge })
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return back.pathname + back.search
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims)}.`
}
