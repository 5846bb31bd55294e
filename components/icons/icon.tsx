import type { IconName } from '#components/icons/icon-shapes.tsx'

export type { IconName }

/** They point where the text goes, so that they turn around with it. */
export const POINTING: readonly IconName[] = ['back', 'next', 'chat', 'send']

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
