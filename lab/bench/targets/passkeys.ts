/**
 * The limit of a sign-in with a passkey: its cryptography alone, and nothing that is kept. Beside the passkey's
 * that is what makes its challenge and its two session tokens, and what knows its program and its device again.
 */
import { createHash, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { Hono } from 'hono'

const { credential_id, public_key } = JSON.parse(process.env.PASSKEY ?? '')
const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'))

const key = createSecretKey(randomBytes(32))
const keyed = (text: string) => createHmac('sha256', key).update(text).digest('hex')
const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const token = () => randomBytes(32).toString('base64url')

function challenge(): string {
  const random = token()
  return `${random}.${keyed(random)}`
}

function isOwn(sent: string): boolean {
  const text = Buffer.from(sent, 'base64url').toString()
  const [random = '', hash = ''] = text.split('.')
  return timingSafeEqual(Buffer.from(keyed(random)), Buffer.from(hash))
}

function session(challenge: string) {
  const [cookie, bearer] = [token(), token()]
  const hashes = [challenge, cookie, bearer].map(hashed)
  const known = ['program', 'wrong guesses', 'device', 'password of the device'].map(keyed)
  return { cookie, bearer, hashes, known }
}

const app = new Hono()
  .get('/', (c) => c.text('hello'))
  .post('/api/auth/passkey/options', async (c) => {
    const made = new TextEncoder().encode(challenge())
    return c.json({
      ...(await generateAuthenticationOptions({ rpID: 'localhost', challenge: made })),
    })
  })
  .post('/api/auth/passkey/verify', async (c) => {
    const response = await c.req.json()
    const { verified } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: isOwn,
      expectedOrigin: process.env.PUBLIC_URL ?? '',
      expectedRPID: 'localhost',
      credential: { id: credential_id, publicKey, counter: 0 },
    })
    return c.json({ verified, ...session(response.id) })
  })
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
