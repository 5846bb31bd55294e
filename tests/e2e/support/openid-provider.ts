import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export type OpenIdProvider = {
  issuer: string
  /** The settings of a server that uses the provider. */
  env: Record<string, string>
  /** Allows sign-ins for a server at this URL. */
  admit(url: string): void
  stop(): Promise<void>
}

/**
 * A certified OpenID provider with its own pages. The name typed into its login is the person, who
 * has a verified e-mail.
 */
export async function startProvider(): Promise<OpenIdProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    env: {
      GOOGLE_CLIENT_ID: 'driveqr',
      GOOGLE_CLIENT_SECRET: 'our secret',
      GOOGLE_ISSUER: issuer,
    },
    admit(url) {
      server.on('request', providerFor(issuer, `${url}/api/auth/google/callback`).callback())
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function providerFor(issuer: string, redirectUri: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'driveqr',
        client_secret: 'our secret',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    // Like Google's, the ID token contains the identity.
    conformIdTokenClaims: false,
    findAccount: (_ctx, name) => ({
      accountId: name,
      claims: () => ({
        sub: name,
        name,
        email: `${name.toLowerCase()}@example.in`,
        email_verified: true,
      }),
    }),
  })
}
