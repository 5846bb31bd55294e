import { anyText } from '#routes/_http/schema.ts'

/** Names the account for which a call acts, where that is not the caller. */
export const ownerId = anyText('owner_id').optional().openapi({
  maxLength: 64,
  description: 'the owner for whom you act, whose codes are shared with you',
})
