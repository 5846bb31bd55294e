import { POINTING } from '#components/icons/icon.tsx'
import { type IconName, iconShapes } from '#components/icons/icon-shapes.tsx'

/**
 * Drawn in place: the finder's page has few icons and must not depend on a sprite. One with an id
 * can be shown again by it.
 */
export function ScanIcon({ name, big, id }: { name: IconName; big?: boolean; id?: string }) {
  const shape = iconShapes[name]
  return (
    <svg className={classOf(name, big)} viewBox="0 0 24 24" aria-hidden="true">
      {id ? <g id={id}>{shape}</g> : shape}
    </svg>
  )
}

function classOf(name: IconName, big: boolean | undefined): string | undefined {
  const names = [...(big ? ['big'] : []), ...(POINTING.includes(name) ? ['turn'] : [])]
  return names.join(' ') || undefined
}

export function SameIcon({ id }: { id: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#${id}`} />
    </svg>
  )
}
