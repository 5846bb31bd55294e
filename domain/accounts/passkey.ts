import { DomainError } from '#domain/error.ts'
import { cleanLine, LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

export const MOST_PASSKEYS = 20

/** Returns why a passkey cannot have this name. */
export function passkeyNameProblem(typed: string | null | undefined): Refusal | undefined {
  const name = cleanLine(typed)
  return name ? lengthProblem('Name', name, LENGTHS.name) : 'invalid.passkey_name_missing'
}

export function passkeyNotFound(): DomainError {
  return new DomainError('not_found.passkey')
}

/** Returns the same error for every answer that is wrong, foreign, late or used. */
export function wrongPasskey(): DomainError {
  return new DomainError('unauthenticated.passkey')
}
