/** The colour scheme of signed-in pages. `auto` follows the device. */
export const APPEARANCES = ['auto', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

/** Reads the appearance; any other value counts as `auto`. */
export function readAppearance(value: unknown): Appearance {
  return APPEARANCES.find((appearance) => appearance === value) ?? 'auto'
}
