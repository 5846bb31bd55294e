import { readFileSync } from 'node:fs'
import { FONTS } from '#formats/fonts.ts'

type Pdf = PDFKit.PDFDocument

/**
 * Which font has which letters; the first that fits is taken. Each is a file of Noto Sans. Combining
 * marks and joiners stay with the letter before them.
 */
const FACES: { face: string; hasBold?: boolean; isRtl?: boolean; letters: RegExp }[] = [
  { face: 'devanagari', letters: /[\p{Script=Devanagari}\u0964\u0965]/u },
  { face: 'bengali', letters: /\p{Script=Bengali}/u },
  { face: 'gurmukhi', letters: /\p{Script=Gurmukhi}/u },
  { face: 'gujarati', letters: /\p{Script=Gujarati}/u },
  { face: 'tamil', letters: /\p{Script=Tamil}/u },
  { face: 'telugu', letters: /\p{Script=Telugu}/u },
  { face: 'kannada', letters: /\p{Script=Kannada}/u },
  { face: 'malayalam', letters: /\p{Script=Malayalam}/u },
  { face: 'arabic', isRtl: true, letters: /[\p{Script=Arabic}\u060c\u061b\u061f\u0640]/u },
  { face: 'cyrillic', hasBold: true, letters: /\p{Script=Cyrillic}/u },
  { face: 'greek', hasBold: true, letters: /\p{Script=Greek}/u },
  { face: 'latin-ext', hasBold: true, letters: /[\u0100-\u02ba\u1e00-\u1eff\u20ad-\u20c0]/u },
]
const LATIN = { face: 'latin', hasBold: true, isRtl: false }
const JOINS = /[\p{M}\u200c\u200d]/u

type Face = (typeof FACES)[number] | typeof LATIN
type Run = { face: Face; text: string }

/** The anchors of a font's marks, which the types of pdfkit lack. */
type Anchored = {
  applyLookup(type: number, table: unknown): boolean
  applyAnchor(mark: unknown, base: object | null, index: number): void
}
type Loaded = {
  _font: { font: { _layoutEngine: { engine: { GPOSProcessor: Anchored | undefined } } } }
}

export type Style = { size: number; bold?: boolean; color: string }
export type Place = { x: number; y: number; width: number; align?: 'left' | 'right' }

/** Line height as a multiple of the font size. */
export const LINE_HEIGHT = 1.45

/** Text in any of the alphabets that the service speaks, wrapped to a width. Lengths are in points. */
export class PdfText {
  readonly #pdf: Pdf
  readonly #known = new Set<string>()

  constructor(pdf: Pdf) {
    this.#pdf = pdf
  }

  /** The lines of a text that fit into a width. A word that does not is broken. */
  wrap(text: string, width: number, style: Style): string[] {
    return text.split('\n').flatMap((line) => this.#wrapLine(line, width, style))
  }

  #wrapLine(line: string, width: number, style: Style): string[] {
    const lines: string[] = []
    let current = ''
    for (const word of line.split(' ').flatMap((each) => this.#broken(each, width, style))) {
      const longer = current ? `${current} ${word}` : word
      if (current && this.widthOf(longer, style) > width) {
        lines.push(current)
        current = word
      } else current = longer
    }
    return [...lines, current]
  }

  #broken(word: string, width: number, style: Style): string[] {
    if (this.widthOf(word, style) <= width) return [word]
    const pieces: string[] = []
    let piece = ''
    for (const { segment } of new Intl.Segmenter().segment(word)) {
      if (piece && this.widthOf(piece + segment, style) > width) {
        pieces.push(piece)
        piece = segment
      } else piece += segment
    }
    return [...pieces, piece]
  }

  widthOf(text: string, style: Style): number {
    return runsOf(text).reduce((sum, run) => {
      this.#use(run.face, style)
      return sum + this.#pdf.widthOfString(run.text)
    }, 0)
  }

  /** Draws a text from its upper edge down. Returns where the next line begins. */
  draw(text: string, { x, y, width, align = 'left' }: Place, style: Style): number {
    const lines = this.wrap(text, width, style)
    for (const [n, line] of lines.entries()) {
      const from = align === 'right' ? x + width - this.widthOf(line, style) : x
      this.#drawLine(line, from, y + n * style.size * LINE_HEIGHT, style)
    }
    return y + lines.length * style.size * LINE_HEIGHT
  }

  #drawLine(line: string, x: number, y: number, style: Style): void {
    let at = x
    for (const run of visualOrder(runsOf(line))) {
      this.#use(run.face, style)
      // The baseline is the same in all fonts.
      this.#pdf.text(run.text, at, y + style.size, { lineBreak: false, baseline: 'alphabetic' })
      at += this.#pdf.widthOfString(run.text)
    }
  }

  #use({ face, hasBold }: Face, { size, bold, color }: Style): void {
    const name = `noto-sans-${face}-${bold && hasBold ? 700 : 400}.ttf`
    if (!this.#known.has(name)) {
      this.#pdf.registerFont(name, readFileSync(new URL(name, FONTS))).font(name)
      skipMissingAnchors(this.#pdf as unknown as Loaded)
      this.#known.add(name)
    }
    this.#pdf.font(name).fontSize(size).fillColor(color)
  }
}

/**
 * A table of a font may have no anchor for a mark on a letter; the next table is asked then. The font
 * library fails there instead, with Gurmukhi for one.
 */
function skipMissingAnchors({ _font: { font } }: Loaded): void {
  const marks = font._layoutEngine.engine.GPOSProcessor
  if (!marks) return
  const missing = new Error('no anchor')
  const { applyLookup, applyAnchor } = marks
  marks.applyAnchor = function (mark, base, index) {
    if (base === null) throw missing
    applyAnchor.call(this, mark, base, index)
  }
  marks.applyLookup = function (type, table) {
    try {
      return applyLookup.call(this, type, table)
    } catch (error) {
      if (error !== missing) throw error
      return false
    }
  }
}

function runsOf(text: string): Run[] {
  const runs: Run[] = []
  for (const letter of text) {
    const last = runs.at(-1)
    const face = last && JOINS.test(letter) ? last.face : faceOf(letter)
    if (last?.face === face) last.text += letter
    else runs.push({ face, text: letter })
  }
  return runs
}

function faceOf(letter: string): Face {
  return FACES.find(({ letters }) => letters.test(letter)) ?? LATIN
}

/** Words of a script that is written from right to left follow each other that way. */
function visualOrder(runs: Run[]): Run[] {
  const ordered: Run[] = []
  let stretch: Run[] = []
  const end = () => {
    const spaces = stretch.at(-1)?.face.isRtl ? [] : stretch.splice(-1)
    ordered.push(...stretch.reverse(), ...spaces)
    stretch = []
  }
  for (const run of runs) {
    const continues = run.face.isRtl || (stretch.length > 0 && run.text.trim() === '')
    if (continues) stretch.push(run)
    else {
      if (stretch.length > 0) end()
      ordered.push(run)
    }
  }
  if (stretch.length > 0) end()
  return ordered
}
