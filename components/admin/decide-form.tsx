import type { ReactNode } from 'react'
import { Icon } from '#components/icons/icon.tsx'

type DecideFormProps = {
  action: string
  /** the subject of the decision, for screen readers */
  legend: string
  failed: { approve: string; reject: string }
  /** further fields of the decision */
  children?: ReactNode
}

/** The buttons that approve or reject a request. */
export function DecideForm({ action, legend, failed, children }: DecideFormProps) {
  return (
    <form method="post" action={action} data-enhance>
      <fieldset className="row gap-2">
        <legend className="vh">{legend}</legend>
        {children}
        <button
          className="btn btn-sm btn-go"
          type="submit"
          name="action"
          value="approve"
          data-failed={failed.approve}
        >
          <Icon name="check" />
          Approve
        </button>
        <button
          className="btn btn-sm"
          type="submit"
          name="action"
          value="reject"
          data-failed={failed.reject}
        >
          Reject
        </button>
      </fieldset>
    </form>
  )
}
