import { type IconName, iconShapes } from '#components/icon-shapes.tsx'

/** Drawn in place: the finder's page has few icons and must not depend on a sprite. */
export function ScanIcon({ name, big }: { name: IconName; big?: boolean }) {
  return (
    <svg className={big ? 'big' : undefined} viewBox="0 0 24 24" aria-hidden="true">
      {iconShapes[name]}
    </svg>
  )
}
