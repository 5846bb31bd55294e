import { InvalidArgumentError } from 'commander'

/** Parses digits alone: `0x10` and `1e3` are numbers to JavaScript, but slips of the hand on a command line. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}
