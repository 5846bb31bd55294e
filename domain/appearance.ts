/** How signed-in pages look: as the phone does, or always light, or always dark. */
export const APPEARANCES = ['auto', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

/** Whatever else was asked for or remembered is as the phone does. */
export function readAppearance(value: unknown): Appearance {
  return APPEARANCES.find((appearance) => appearance === value) ?? 'auto'
}
