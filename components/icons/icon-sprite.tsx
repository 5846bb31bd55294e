import { type IconName, iconShapes } from '#components/icons/icon-shapes.tsx'

/** The shapes that a page's icons refer to: once per page, only the names it uses. */
export function IconSprite({ names }: { names: readonly IconName[] }) {
  return (
    <svg className="sprite" aria-hidden="true">
      {names.map((name) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
          {iconShapes[name]}
        </symbol>
      ))}
    </svg>
  )
}
