import type { IconName } from '#components/icons/icon-shapes.tsx'
import type { Thing } from '#domain/codes/visibility.ts'

export const THING_ICONS: Record<Thing, IconName> = {
  keys: 'key',
  vehicle: 'car',
  bag: 'bag',
  other: 'search',
}
