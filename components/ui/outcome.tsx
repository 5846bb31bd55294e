import { Note } from '#components/ui/note.tsx'

type OutcomeProps = {
  text: string | undefined
  /** the reason, if the text does not contain it */
  reason?: string | undefined
  /** the id of the changed thing, which gets the focus */
  at?: string | undefined
  /** the text of a second toast one second later; without script it follows the first text */
  later?: string
  isRefused?: boolean
}

/** Shows the outcome of the form that led to this page. A script turns it into a toast. */
export function Outcome({ text, reason, at, later, isRefused = false }: OutcomeProps) {
  if (!text) return null
  return (
    <Note
      tone={isRefused ? 'stop' : 'go'}
      data-outcome={isRefused ? 'refused' : 'done'}
      data-at={at || undefined}
      data-later={later}
    >
      {later ? `${text} ${later}` : text}
      {reason && <small className="block">{reason}</small>}
    </Note>
  )
}
