import type { ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'

/** A picture in a card, and the words that stand for it where it can't be loaded. */
export function ThumbImage({ src, alt }: { src: string; alt: string }) {
  return (
    <>
      <img src={src} alt={alt} loading="lazy" />
      <span className="missing">
        <Icon name="image" />
        Image not found
      </span>
    </>
  )
}

/** Shown in place of a missing picture. */
export function ThumbIcon({ name, children }: { name: IconName; children?: ReactNode }) {
  return (
    <span className="stack gap-1 center">
      <Icon name={name} />
      {children}
    </span>
  )
}
