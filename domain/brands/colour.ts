import { DomainError } from '#domain/error.ts'

/** The yellow of the product, for a brand without a colour of its own. */
export const OWN_YELLOW = '#ffc61a'

export type TextColour = '#000000' | '#ffffff'

/** Returns a colour as `#rrggbb` in lower case. Null when nothing was typed. Throws invalid. */
export function readColour(typed: string | null): string | null {
  if (typed === null) return null
  if (!/^#[0-9a-f]{6}$/i.test(typed)) {
    throw new DomainError('invalid.colour')
  }
  return typed.toLowerCase()
}

/** Returns black or white, the one with more contrast on the colour: 4.58 at least. */
export function textOn(colour: string): { text: TextColour; contrast: number } {
  const light = luminance(colour)
  const [onBlack, onWhite] = [(light + 0.05) / 0.05, 1.05 / (light + 0.05)]
  return onBlack >= onWhite
    ? { text: '#000000', contrast: onBlack }
    : { text: '#ffffff', contrast: onWhite }
}

/** The relative luminance of WCAG 2, from 0 to 1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the form's text about a colour, or about the product's yellow without a valid colour. */
export function contrastText(typed: string): string {
  const colour = /^#[0-9a-f]{6}$/i.test(typed) ? typed : OWN_YELLOW
  const { text, contrast } = textOn(colour)
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1)
  return `Contrast ${shown}, ${text === '#ffffff' ? 'white' : 'black'} text`
}
