/** The colour scheme of signed-in pages. `auto` follows the device. */
export const APPEARANCES = ['auto', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

/** Any other value reads as `auto`. */
export function readAppearance(value: unknown): Appearance {
  return APPEARANCES.find((appearance) => appearance === value) ?? 'auto'
}

/** The style sheets of signed-in pages, which have a dark mode, and that of public pages. */
const SIGNED_IN_SHEETS = ['app', 'settings'] as const
export type SignedInSheet = (typeof SIGNED_IN_SHEETS)[number]
export type Sheet = SignedInSheet | 'public'
export type SheetFile = Sheet | `${SignedInSheet}-${Exclude<Appearance, 'light'>}`

/** The file of a sheet in an appearance. */
export function sheetFile(sheet: Sheet, appearance: Appearance): SheetFile {
  return sheet === 'public' || appearance === 'light' ? sheet : `${sheet}-${appearance}`
}

export const SHEET_FILES: SheetFile[] = [
  ...SIGNED_IN_SHEETS.flatMap((sheet) => APPEARANCES.map((look) => sheetFile(sheet, look))),
  'public',
]

export function eachSheetFile<T>(make: (file: SheetFile) => T): Record<SheetFile, T> {
  return Object.fromEntries(SHEET_FILES.map((file) => [file, make(file)])) as Record<SheetFile, T>
}
