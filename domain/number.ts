/** Formats a whole number in Indian grouping: `1,24,870`. */
export function formatCount(count: number): string {
  // By hand, because `Intl` takes 8 MB for it.
  return String(count).replace(/\B(?=(?:\d\d)+\d$)/g, ',')
}

/** Returns `1 file`, `2,000 files`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats whole rupees: `₹1,24,870`. */
export function formatRupees(amount: number): string {
  return `₹${formatCount(amount)}`
}

/** Formats whole paise as rupees: `₹121.88`. */
export function formatPaise(paise: number): string {
  const rest = String(paise % 100).padStart(2, '0')
  return `${formatRupees(Math.floor(paise / 100))}.${rest}`
}

/** Reads a number that was sent as one or as decimal text. Anything else is NaN, also `0x10`, `1e3` and an object. */
export function toNumber(sent: unknown): number {
  if (typeof sent === 'number') return sent
  const isDecimal = typeof sent === 'string' && /^-?\d+(\.\d+)?$/.test(sent.trim())
  return isDecimal ? Number(sent) : Number.NaN
}
