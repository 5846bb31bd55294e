import { createECDH, hkdfSync } from 'node:crypto'

/** The order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** 128 bits more than the order has: no remainder is likelier than another (FIPS 186-5, A.2.1). */
const SEED_BYTES = 48
const SCALAR_DIGITS = 64

/** In base64url; the public key is an uncompressed point of P-256. */
export type VapidKeys = { publicKey: string; privateKey: string }

/**
 * Returns the key pair that identifies this installation to push services (RFC 8292). It is derived
 * from the secret key: a subscription works with one pair only, so servers that share a database,
 * and a restored backup, must have the same one.
 */
export function vapidKeys(secretKey: Buffer): VapidKeys {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'driveqr vapid', SEED_BYTES))
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n
  const privateKey = Buffer.from(scalar.toString(16).padStart(SCALAR_DIGITS, '0'), 'hex')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return {
    publicKey: curve.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
  }
}
