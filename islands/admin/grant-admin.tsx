import { type FormEvent, useState } from 'react'
import { Badge } from '#components/ui/badge.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { type ApiProblem, callApi } from '#islands/_api.ts'
import { leaveAfter } from '#islands/_leave.ts'
import { showToast } from '#islands/_toast.ts'

const TIME_TO_READ_MS = 2000

type GrantAdminProps = {
  name: string
  email: string | null
  role: string
  /** where others reach the service, nobody grants themselves anything */
  disabled: boolean
  /** why a form that was sent was not taken */
  message?: string | undefined
}

/** Makes whoever is signed in a super admin, to try the service out. */
export function GrantAdmin({ name, email, role, disabled, message }: GrantAdminProps) {
  const [busy, setBusy] = useState(false)

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('POST', '/admin/grant-super-admin')
      showToast('Super admin privileges granted successfully!')
      await leaveAfter(TIME_TO_READ_MS, '/admin')
    } catch (error) {
      const { message: said } = error as ApiProblem
      showToast(said || 'Failed to grant admin privileges', 'error')
      setBusy(false)
    }
  }

  return (
    <>
      <h1>Grant Admin</h1>
      <div className="sheet stack">
        {message && <Note tone="stop">{message}</Note>}
        {disabled ? <InProduction /> : <InDevelopment />}
        <Facts
          size="medium"
          facts={[
            { label: 'Name', value: name },
            { label: 'Email', value: email ?? 'N/A' },
            { label: 'Role', value: <Badge>{role}</Badge> },
          ]}
        />
        <form className="row" method="post" action="/grant-admin" onSubmit={onSubmit}>
          {!disabled && (
            <button
              className="btn btn-main btn-grow"
              type="submit"
              disabled={busy}
              aria-busy={busy}
            >
              <Icon name="shield" />
              Grant Super Admin Access
            </button>
          )}
          <a className="btn btn-grow" href="/dashboard">
            Back to Dashboard
          </a>
        </form>
      </div>
    </>
  )
}

function InDevelopment() {
  return (
    <Note tone="warn" title="Development mode">
      Production should use proper controls.
    </Note>
  )
}

function InProduction() {
  return (
    <Note tone="warn" title="Granting super admin is disabled">
      The operator of this service grants roles on its command line.
    </Note>
  )
}
