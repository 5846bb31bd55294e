import type { ReactNode } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'

/**
 * The place of the last result of an act: in the ink bar, under the head of a dialog, or above the first field of a
 * public form. `islands/ui/_result.ts` fills it.
 */
export function Said({ children }: { children?: ReactNode }) {
  return (
    <div className="said" role="status">
      {children}
    </div>
  )
}

type OutcomeProps = {
  text: string | undefined
  /** the reason, if the text does not contain it */
  reason?: string | undefined
  /** the id of the changed thing, which gets the focus */
  at?: string | undefined
  isRefused?: boolean
  /** a link or a form that leads on from the result, such as Undo */
  act?: ReactNode
}

/** Says in the bar of a page what became of the form that led to it. */
export function Outcome({ text, reason, at, isRefused = false, act }: OutcomeProps) {
  if (!text) return null
  return (
    <div
      className={isRefused ? 'say say-stop' : 'say say-go'}
      data-outcome={isRefused ? 'refused' : 'done'}
      data-at={at || undefined}
    >
      <Icon name={isRefused ? 'alert' : 'check'} />
      <span>
        {text}
        {reason && <small className="block">{reason}</small>}
      </span>
      {act}
    </div>
  )
}

/** Why a form was refused, unless a field of it shows that: under the head of its dialog, or above its first field. */
export function Refusal({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Note tone="stop" role="alert">
      {children}
    </Note>
  )
}
