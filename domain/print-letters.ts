/**
 * The letters and signs of the fonts in `formats/fonts`, with which labels, pictures and receipts are drawn, in
 * hexadecimal. Of several fonts that have a letter the first draws it.
 */
export const PRINT_FONTS = {
  latin:
    '20-7e a0-ac ae-ff 131 152-153 2bb-2bc 2c6 2da 2dc 300-301 303-304 308-309 323 329 2002 2009 ' +
    '2013-2014 2018-201a 201c-201e 2022 2026 2032-2033 2039-203a 2044 20ac 2122 2212',
  'latin-ext':
    '100-130 132-151 154-2ba 2bc-2c5 2c7-2cc 2ce-2d7 2dd-301 303-304 308-309 323 329 1d00-1dbf ' +
    '1e00-1e9f 1ef2-1eff 2020 20a0-20ab 20ad-20c0 2113 2c60-2c7f a720-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 ' +
    'a7f2-a7ff',
  cyrillic: '301 400-45f 490-491 4b0-4b1 2116',
  greek: '370-377 37a-37f 384-38a 38c 38e-3a1 3a3-3e1 3f0-3ff',
  devanagari: '2bc 900-97f 1cd0-1cf6 1cf8-1cf9 20b9 20f0 a830-a839 a8e0-a8ff 11b00-11b09',
  bengali:
    '2bc 951-952 964-965 980-983 985-98c 98f-990 993-9a8 9aa-9b0 9b2 9b6-9b9 9bc-9c4 9c7-9c8 9cb-9ce ' +
    '9d7 9dc-9dd 9df-9e3 9e6-9fe 1cd0 1cd2 1cd5-1cd6 1cd8 1ce1 1cea 1ced 1cf2 1cf5-1cf7 20b9 a8f1',
  gurmukhi:
    '951-952 964-965 a01-a03 a05-a0a a0f-a10 a13-a28 a2a-a30 a32-a33 a35-a36 a38-a39 a3c a3e-a42 ' +
    'a47-a48 a4b-a4d a51 a59-a5c a5e a66-a76 20b9 262c a830-a839',
  gujarati:
    '951-952 964-965 a81-a83 a85-a8d a8f-a91 a93-aa8 aaa-ab0 ab2-ab3 ab5-ab9 abc-ac5 ac7-ac9 acb-acd ' +
    'ad0 ae0-ae3 ae6-af1 af9-aff 20b9 a830-a839',
  tamil:
    '964-965 b82-b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f ba3-ba4 ba8-baa bae-bb9 bbe-bc2 ' +
    'bc6-bc8 bca-bcd bd0 bd7 be6-bfa 20b9',
  telugu:
    '951-952 964-965 c00-c0c c0e-c10 c12-c28 c2a-c39 c3c-c44 c46-c48 c4a-c4d c55-c56 c58-c5a c5d ' +
    'c60-c63 c66-c6f c77-c7f 1cda 1cf2',
  kannada:
    '951-952 964-965 c80-c8c c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbc-cc4 cc6-cc8 cca-ccd cd5-cd6 cdd-cde ' +
    'ce0-ce3 ce6-cef cf1-cf3 1cd0 1cd2 1cda 1cf2 1cf4 20b9 a830-a835',
  malayalam:
    '307 323 951-952 964-965 d00-d0c d0e-d10 d12-d44 d46-d48 d4a-d4f d54-d63 d66-d7f 1cda 20b9 ' +
    'a830-a832',
  arabic:
    '600-61b 61d-6ff 750-77f 870-88e 890-891 898-8e1 8e3-8ff 2010-2011 204f 2e41 fb50-fbc2 fbd3-fd8f ' +
    'fd92-fdc7 fdcf fdf0-fdff fe70-fe74 fe76-fefc 10efd-10eff',
} as const

export type PrintFont = keyof typeof PRINT_FONTS

/** Joiners and choices between two forms, which have no shape of their own. */
const SHAPELESS = '\\u200c\\u200d\\ufe00-\\ufe0f'

const LETTERS = Object.entries(PRINT_FONTS).map(([font, ranges]) => {
  const escaped = ranges.replace(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '')
  return { font: font as PrintFont, letters: new RegExp(`^[${escaped}${SHAPELESS}]+$`, 'u') }
})

/** Returns the font that draws a letter with its marks; undefined without one. */
export function printFontOf(letter: string): PrintFont | undefined {
  return LETTERS.find(({ letters }) => letters.test(letter))?.font
}

/** Splits a text into its letters, each with its marks, joiners and skin colours. */
export function lettersOf(text: string): string[] {
  return text.match(/.(?:\p{M}|[\u{1f3fb}-\u{1f3ff}]|\u200c|\u200d)*/gsu) ?? []
}

/** Returns a line as prints show it, and the letters that they leave out because they would draw a box. */
export function printedLine(line: string): { shown: string; missing: string[] } {
  const missing = new Set<string>()
  const shown = lettersOf(line.normalize()).map((letter) => {
    if (printFontOf(letter)) return letter
    missing.add(letter)
    const [plain = ''] = letter.normalize('NFD')
    return printFontOf(plain) ? plain : ''
  })
  if (missing.size === 0) return { shown: shown.join(''), missing: [] }
  return { shown: shown.join('').replace(/ {2,}/g, ' ').trim(), missing: [...missing] }
}

/** Returns the warning about the letters of a name that prints leave out. */
export function printWarning(name: string): string | undefined {
  const { missing } = printedLine(name)
  if (missing.length === 0) return undefined
  const them = missing.length === 1 ? 'it' : 'them'
  return `Labels and pictures are printed without ${missing.join(' ')}: their fonts do not have ${them}.`
}
