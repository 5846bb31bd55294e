import { InvalidArgumentError } from 'commander'

/** Parses a value that must not be empty: that is an unset variable of a shell, and does not mean the default. */
export function notBlank(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError('It is empty.')
  return text
}
