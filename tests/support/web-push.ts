/**
 * Web Push from the side of a browser and its push service, by the RFCs and without the product's
 * package: decryption (RFC 8291, in the encoding of RFC 8188), and the sender's signature (RFC
 * 8292).
 */
import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  randomBytes,
  verify,
} from 'node:crypto'

const A_DAY_SECONDS = 86_400
/** The size that every push service accepts (RFC 8030, 7.2). */
const MOST_BYTES = 4096
const SALT_BYTES = 16
const TAG_BYTES = 16
const LAST_RECORD = 2

/** The secrets of one subscription, which never leave a browser. */
export type Browser = { privateKey: Buffer; publicKey: Buffer; auth: Buffer }

export function newBrowser(): Browser {
  const curve = createECDH('prime256v1')
  const publicKey = curve.generateKeys()
  return { privateKey: curve.getPrivateKey(), publicKey, auth: randomBytes(16) }
}

/** Returns the keys in the form of `PushSubscription.toJSON()`. */
export function keysOf({ publicKey, auth }: Browser) {
  return { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }
}

/** The text of a push. Throws for a body that the standard does not allow, or that was meant for another browser. */
export function decrypt(body: Buffer, { privateKey, publicKey, auth }: Browser): string {
  must(body.length <= MOST_BYTES, 'the body is longer than 4096 bytes')
  const salt = body.subarray(0, SALT_BYTES)
  const recordSize = body.readUInt32BE(SALT_BYTES)
  const idLength = body.readUInt8(SALT_BYTES + 4)
  const senderKey = body.subarray(SALT_BYTES + 5, SALT_BYTES + 5 + idLength)
  const record = body.subarray(SALT_BYTES + 5 + idLength)
  must(senderKey.length === 65 && senderKey[0] === 4, 'the sender has no uncompressed point')
  must(recordSize > TAG_BYTES + 1, 'the record size is too small')
  must(record.length <= recordSize, 'there is more than one record')

  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
  const material = derive(auth, curve.computeSecret(senderKey), info, 32)
  const key = derive(salt, material, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(salt, material, Buffer.from('Content-Encoding: nonce\0'), 12)

  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(record.subarray(-TAG_BYTES))
  const sealed = decipher.update(record.subarray(0, -TAG_BYTES))
  const padded = Buffer.concat([sealed, decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  must(padded[end] === LAST_RECORD, 'the last record does not say so')
  return padded.subarray(0, end).toString('utf8')
}

/** HKDF with SHA-256 (RFC 5869) for one block. */
function derive(salt: Buffer, material: Buffer, info: Buffer, bytes: number): Buffer {
  const key = createHmac('sha256', salt).update(material).digest()
  const block = createHmac('sha256', key)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
  return block.subarray(0, bytes)
}

/** Throws unless the header is signed for this push service, now, with the key that a browser subscribed for. */
export function checkVapid(
  header: string | undefined,
  { audience, publicKey, now }: { audience: string; publicKey: string; now: Date },
): { sub: string } {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? []
  must(key === publicKey, 'it is signed with another key than the subscription has')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  )
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  )
  must(isSigned, 'the signature is wrong')
  const { typ, alg } = parse(head)
  must(typ === 'JWT' && alg === 'ES256', 'the token is of another kind')
  const { aud, exp, sub } = parse(claims)
  const seconds = now.getTime() / 1000
  must(aud === audience, `it is meant for ${aud}`)
  must(typeof exp === 'number' && exp > seconds, 'it has expired')
  must(Number(exp) <= seconds + A_DAY_SECONDS, 'it holds for more than a day')
  must(/^(mailto:[^@\s]+@\S+|https:\/\/\S+)$/.test(String(sub)), `${sub} is no contact`)
  return { sub: String(sub) }
}

function parse(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}

function must(holds: boolean, refusal: string): void {
  if (!holds) throw new Error(`Not a push: ${refusal}`)
}
