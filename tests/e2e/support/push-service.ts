import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { loadSecretKey } from '#db/secrets.ts'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { test as base } from '#tests/e2e/support/test.ts'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'
import { startPushService } from '#tests/support/push-service.ts'

type Subscribed = ReturnType<Awaited<ReturnType<typeof startPushService>>['subscribe']>

/** A browser whose push service is the one of the tests; Chromium's own is its vendor's. */
export const test = base.extend<{ subscribed: Subscribed }>({
  sharedEnv: async ({ folder }, use) => {
    const NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem')
    writeFileSync(NODE_EXTRA_CA_CERTS, LOOPBACK_CERTIFICATE.cert)
    await use({ ALLOW_PRIVATE_TARGETS: '1', RATE_LIMITS: 'off', NODE_EXTRA_CA_CERTS })
  },
  subscribed: [
    async ({ context, server }, use) => {
      const service = await startPushService()
      const { publicKey } = vapidKeys(loadSecretKey(server.dataDir))
      const subscribed = service.subscribe(publicKey)
      await context.grantPermissions(['notifications'])
      await usePushService(context, subscribed)
      await use(subscribed)
      await service.stop()
    },
    { auto: true },
  ],
})

async function usePushService(context: BrowserContext, { subscription }: Subscribed) {
  await context.addInitScript((subscription) => {
    const KEPT = 'subscribed for'
    const { prototype } = PushManager
    prototype.getSubscription = async () => {
      const key = localStorage.getItem(KEPT)
      return key === null ? null : made(key)
    }
    prototype.subscribe = async (options) => {
      const key = String(options?.applicationServerKey)
      localStorage.setItem(KEPT, key)
      return made(key)
    }
    function made(key: string) {
      const base64 = key.replaceAll('-', '+').replaceAll('_', '/')
      const applicationServerKey = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
      return {
        endpoint: subscription.endpoint,
        options: { userVisibleOnly: true, applicationServerKey: applicationServerKey.buffer },
        toJSON: () => subscription,
        async unsubscribe() {
          localStorage.removeItem(KEPT)
          return true
        },
      } as unknown as PushSubscription
    }
  }, subscription)
}
