import { keyedToken, type SecretKey } from '#db/secrets.ts'

/**
 * Returns the token of a finder's conversation page, made of the conversation's id. So a mail about an answer can
 * name the page, and the database has only the hash.
 */
export function conversationToken(key: SecretKey, conversationId: string): string {
  return keyedToken(key, 'conversation page', conversationId)
}
