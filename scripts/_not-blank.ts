import { InvalidArgumentError } from 'commander'

/** Parses what must not be empty: it is a variable of a shell that nobody has set, and no wish for the default. */
export function notBlank(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError('It is empty.')
  return text
}
