import { readFileSync } from 'node:fs'
import bidiFactory from 'bidi-js'
import { lettersOf, type PrintFont, printedLine, printFontOf } from '#domain/print-letters.ts'
import { FONTS } from '#formats/fonts.ts'

type Pdf = PDFKit.PDFDocument

/** A piece of a line in one font and direction. The levels of UAX #9 are odd from right to left. */
type Run = { font: PrintFont; text: string; level: number }
type Direction = 'ltr' | 'rtl'

const HAS_BOLD: readonly PrintFont[] = ['latin', 'latin-ext', 'cyrillic', 'greek']

const bidi = bidiFactory()

/** The anchors of a font's marks, which the types of pdfkit lack as they do its layout. */
type Anchored = {
  applyLookup(type: number, table: unknown): boolean
  applyAnchor(mark: unknown, base: object | null, index: number): void
}
type Loaded = {
  _font: {
    font: {
      layout(text: string): { direction: 'ltr' | 'rtl' }
      _layoutEngine: { engine: { GPOSProcessor: Anchored | undefined } }
    }
  }
}

export type Style = { size: number; bold?: boolean; color: string }
export type Place = { x: number; y: number; width: number; align?: 'left' | 'right' }

/** Line height as a multiple of the font size. */
export const LINE_HEIGHT = 1.45

/**
 * Writes text in any script of the offered languages, wrapped to a width. Leaves out characters without a glyph.
 * Lengths are in points.
 */
export class PdfText {
  readonly #pdf: Pdf
  readonly #known = new Set<string>()

  constructor(pdf: Pdf) {
    this.#pdf = pdf
  }

  /** The lines of a text that fit into a width. A word that does not is broken. */
  wrap(text: string, width: number, style: Style): string[] {
    const lines = text.split('\n').map((line) => printedLine(line).shown)
    return lines.flatMap((line) => this.#wrapLine(line, width, style))
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
    for (const letter of lettersOf(word)) {
      if (piece && this.widthOf(piece + letter, style) > width) {
        pieces.push(piece)
        piece = letter
      } else piece += letter
    }
    return [...pieces, piece]
  }

  widthOf(text: string, style: Style): number {
    return runsOf(text, 'ltr').reduce((sum, run) => {
      this.#use(run.font, style)
      return sum + this.#pdf.widthOfString(run.text)
    }, 0)
  }

  /** Draws a text from its upper edge down. Returns where the next line begins. */
  draw(text: string, { x, y, width, align = 'left' }: Place, style: Style): number {
    let top = y
    for (const paragraph of text.split('\n')) {
      const direction = directionOf(paragraph)
      for (const line of this.wrap(paragraph, width, style)) {
        const from = align === 'right' ? x + width - this.widthOf(line, style) : x
        this.#drawRuns(visualOrder(runsOf(line, direction)), from, top, style)
        top += style.size * LINE_HEIGHT
      }
    }
    return top
  }

  #drawRuns(runs: Run[], x: number, y: number, style: Style): void {
    let at = x
    for (const run of runs) {
      this.#use(run.font, style)
      const text = drawnText(run, this.#isTurned(run))
      // The baseline is the same in all fonts.
      this.#pdf.text(text, at, y + style.size, { lineBreak: false, baseline: 'alphabetic' })
      at += this.#pdf.widthOfString(text)
    }
  }

  /** The font library turns words from right to left round itself, and its own table says which these are. */
  #isTurned({ font, text }: Run): boolean {
    if (font !== 'arabic') return false
    return (this.#pdf as unknown as Loaded)._font.font.layout(text).direction === 'rtl'
  }

  #use(font: PrintFont, { size, bold, color }: Style): void {
    const name = `noto-sans-${font}-${bold && HAS_BOLD.includes(font) ? 700 : 400}.ttf`
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

/** Returns the direction of a paragraph, which its first letter decides. */
function directionOf(paragraph: string): Direction {
  return bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr'
}

/** Returns the runs of a line in the order in which they are read. */
function runsOf(line: string, direction: Direction): Run[] {
  const { levels } = bidi.getEmbeddingLevels(line, direction)
  const runs: Run[] = []
  let at = 0
  for (const letter of lettersOf(line)) {
    const font = printFontOf(letter) ?? 'latin'
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += letter
    else runs.push({ font, text: letter, level })
    at += letter.length
  }
  return runs
}

/** Returns the runs from the left of their line: those of each level and above are turned round (UAX #9, L2). */
function visualOrder(runs: Run[]): Run[] {
  const ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while ((ordered[to]?.level ?? 0) >= level) to++
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  }
  return ordered
}

/** Returns the text of a run as the font library must get it, with brackets mirrored (UAX #9, L4). */
function drawnText({ text, level }: Run, isTurned: boolean): string {
  const isFromRight = level % 2 === 1
  const letters = lettersOf(text).map((letter) =>
    isFromRight ? (bidi.getMirroredCharacter(letter) ?? letter) : letter,
  )
  return (isFromRight === isTurned ? letters : letters.reverse()).join('')
}
