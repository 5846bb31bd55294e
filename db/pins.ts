import { keyedHash, type SecretKey } from '#db/secrets.ts'

/**
 * What is stored of a code's PIN. It takes the key to guess it, and equal PINs of two codes do
 * not look equal.
 */
export function hashPin(key: SecretKey, qrId: string, pin: string): string {
  return keyedHash(key, 'pin', qrId, pin)
}
