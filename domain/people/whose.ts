import { firstWord } from '#domain/codes/visibility.ts'

/** Returns whose a shared code is, as `Meera's`. */
export function whose(ownerName: string): string {
  return `${firstWord(ownerName) ?? ownerName}'s`
}
