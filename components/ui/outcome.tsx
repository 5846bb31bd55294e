import { Note } from '#components/ui/note.tsx'

type OutcomeProps = {
  text: string | undefined
  /** why, where the text does not say it */
  reason?: string | undefined
  /** the id of the changed thing, which gets the focus */
  at?: string | undefined
  /** what a second toast says a second later; without script it follows the text */
  later?: string
  isRefused?: boolean
}

/** The outcome of the form that led to this page. With script a toast shows it. */
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
