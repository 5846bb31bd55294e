import { keyedHash, type SecretKey } from '#db/secrets.ts'

/**
 * The token of a finder's conversation page: 256 bits that only the secret key can make of the
 * conversation's id. So a mail about an answer can name the page, and the database has only the hash.
 */
export function conversationToken(key: SecretKey, conversationId: string): string {
  return Buffer.from(keyedHash(key, 'conversation page', conversationId), 'hex').toString(
    'base64url',
  )
}
