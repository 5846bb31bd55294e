/** The limit of a sign-in with a passkey: its cryptography alone, and nothing that is kept. */
import { serve } from '@hono/node-server'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { Hono } from 'hono'

const { credential_id, public_key } = JSON.parse(process.env.PASSKEY ?? '')
const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'))

const app = new Hono()
  .get('/', (c) => c.text('hello'))
  .post('/api/auth/passkey/options', async (c) =>
    c.json({ ...(await generateAuthenticationOptions({ rpID: 'localhost' })) }),
  )
  .post('/api/auth/passkey/verify', async (c) => {
    const { verified } = await verifyAuthenticationResponse({
      response: await c.req.json(),
      expectedChallenge: () => true,
      expectedOrigin: process.env.PUBLIC_URL ?? '',
      expectedRPID: 'localhost',
      credential: { id: credential_id, publicKey, counter: 0 },
    })
    return c.json({ verified })
  })
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
