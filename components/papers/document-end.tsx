import { FormDialog } from '#components/forms/form-dialog.tsx'
import { EndFields } from '#components/papers/end-fields.tsx'
import { Note } from '#components/ui/note.tsx'
import type { DueState } from '#domain/papers/due.ts'

type DocumentEndProps = {
  name: string
  state: DueState
  typed: { expires_on?: string; no_end?: string }
  problem?: string | undefined
  /** where the new document is uploaded */
  replace_href: string
  action: string
}

/** Asks when a document ends, which renews it. */
export function DocumentEnd(props: DocumentEndProps) {
  const { name, state, typed, problem, replace_href, action } = props
  return (
    <FormDialog
      title={state === 'valid' ? `Change date of ${name}` : `Renew ${name}`}
      submit="Save"
      action={action}
      noValidate
      quiet
      failed="Failed to save date"
    >
      {state !== 'valid' && (
        <Note
          action={
            <a className="btn btn-sm" href={replace_href} data-dialog="replace">
              Upload
            </a>
          }
        >
          Do you have the new document? Upload it, and it takes the place of this one.
        </Note>
      )}
      <EndFields
        expires_on={typed.expires_on ?? ''}
        no_end={Boolean(typed.no_end)}
        error={problem}
      />
    </FormDialog>
  )
}
