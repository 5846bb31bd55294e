const FOREIGN_DIGIT = /[^\P{Nd}0-9]/gu

/** Returns a text with the digits of every script as 0 to 9: `९८७` becomes `987`. */
export function asciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGIT, (digit) => String(numberOf(digit)))
}

/** Unicode keeps the ten digits of a script together, in order. */
function numberOf(digit: string): number {
  const point = digit.codePointAt(0) as number
  let zero = point
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (point - zero) % 10
}
