import { type IconName, POINTING } from '#components/icons/icon-shapes.tsx'

export { ICON_NAMES } from '#components/icons/icon-shapes.tsx'
export type { IconName }

/** An icon of the page's sprite; without a label it only repeats the words beside it. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  const use = <use href={`#i-${name}`} />
  if (!label) {
    return (
      <svg className={POINTING.includes(name) ? 'icon turn' : 'icon'} aria-hidden="true">
        {use}
      </svg>
    )
  }
  return (
    <svg className="icon" role="img" aria-label={label}>
      {use}
    </svg>
  )
}
