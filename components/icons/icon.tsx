import type { IconName } from '#components/icons/icon-shapes.tsx'

export type { IconName }

/** They point where the text goes, so that they turn around with it. */
export const POINTING: readonly IconName[] = ['back', 'next', 'chat', 'send']

/** An icon of the page's sprite, which only repeats the words beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={POINTING.includes(name) ? 'icon turn' : 'icon'} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}
