import { createHash } from 'node:crypto'
import type { Config } from '#config.ts'
import { lifeOf } from '#domain/alerts/alert.ts'
import { hasPush, type PushPayload } from '#domain/alerts/push.ts'
import type { Channel, Delivery, PushTarget } from '#mail/channels/channel.ts'
import type { VapidKeys } from '#mail/channels/vapid-keys.ts'
import type { Guard } from '#mail/guarded-request.ts'
import { isLocalName } from '#mail/local-names.ts'

/** A phone shows four lines. So a push stays far below the 4 KB that every push service takes. */
const LONGEST_TITLE = 120
const LONGEST_BODY = 300
/** The longest topic (RFC 8030, 5.4). */
const TOPIC_LENGTH = 32

/**
 * Creates the channel of Web Push: encrypted for one browser (RFC 8291), signed with the keys of
 * this installation (RFC 8292), and kept by a push service until the browser connects (RFC 8030).
 */
export function createPush(
  guard: Guard,
  config: Pick<Config, 'publicUrl' | 'mail' | 'support'>,
  vapid: VapidKeys,
): Channel<PushTarget> {
  const vapidDetails = { subject: pushContactOf(config) ?? ownContact(config), ...vapid }
  const isAvailable = hasPush(config.publicUrl)

  async function encrypt(delivery: Delivery, { endpoint, p256dh, auth }: PushTarget) {
    // Loaded with the first push.
    const { default: webPush } = await import('web-push')
    const tag = tagOf(delivery, auth)
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payloadOf(delivery, tag)),
      { vapidDetails, TTL: lifeOf(delivery.alert.event), urgency: urgencyOf(delivery), topic: tag },
    )
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    return { headers: Object.fromEntries(texts), body }
  }

  return {
    kind: 'push',
    isAvailable,
    ...(!isAvailable && { whyNot: 'PUBLIC_URL does not begin with https' }),
    async send(delivery, target, signal) {
      const encrypted = await encrypt(delivery, target).catch(refuseOtherThanKey)
      if (!encrypted) return { result: 'gone', why: 'Nothing can be encrypted for this browser' }
      const outcome = await guard.post(target.endpoint, { ...encrypted, httpsOnly: true, signal })
      const status = outcome.result === 'failed' ? outcome.status : undefined
      const isGone = status === 404 || status === 410
      if (isGone) return { result: 'gone', why: 'The browser has ended it' }
      const refused = status === 401 || status === 403
      return refused && outcome.result === 'failed'
        ? {
            ...outcome,
            why: `${outcome.why}: the push service does not take this server's keys, clock or contact`,
          }
        : outcome
    },
  }
}

/** The browser's key is said to be a point of the curve, and may be none. */
function refuseOtherThanKey(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY') throw error
}

/**
 * Returns the contact of the operator for push services, some of which refuse one that they cannot resolve;
 * undefined without such a contact.
 */
export function pushContactOf({
  publicUrl,
  mail,
  support,
}: Pick<Config, 'publicUrl' | 'mail' | 'support'>): string | undefined {
  if (!isLocalName(new URL(publicUrl).hostname)) return publicUrl
  const from = /[^\s<>]+@[^\s<>]+/.exec(mail.from)?.[0]
  const address = [support.email, from].find(
    (each) => each && !isLocalName(each.slice(each.lastIndexOf('@') + 1)),
  )
  return address && `mailto:${address}`
}

/** The contact where there is no better one: the library takes only these two forms. */
function ownContact({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' ? publicUrl : `mailto:no-reply@${hostname}`
}

/**
 * Returns the tag of a push. Of two pushes with the same tag, the push service keeps the newer one,
 * and the browser replaces the older. Scans of a code replace each other; a push that is sent twice
 * replaces itself. The push service learns nothing from the tag, because it lacks the browser's
 * secret.
 */
function tagOf({ id, alert: { event, qr_id } }: Delivery, auth: string): string {
  const isScan = event === 'scan' || event === 'lost_scan'
  const about = isScan && qr_id ? [event, qr_id] : [id]
  const hash = createHash('sha256').update(JSON.stringify([auth, ...about]))
  return hash.digest('base64url').slice(0, TOPIC_LENGTH)
}

function payloadOf({ alert }: Delivery, tag: string): PushPayload {
  const { title, body, url, isUnmarked } = alert
  const texts = { title: shortened(title, LONGEST_TITLE), body: shortened(body, LONGEST_BODY) }
  return { ...texts, url, tag, ...(isUnmarked && { isUnmarked }) }
}

function shortened(text: string, longest: number): string {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text
}

/** Returns the urgency of a push. Only `high` wakes a sleeping phone at once. */
function urgencyOf({ alert: { event, isUrgent } }: Delivery) {
  const isForNow = isUrgent || ['message', 'lost_scan', 'security'].includes(event)
  return isForNow ? 'high' : 'normal'
}
