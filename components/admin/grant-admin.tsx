import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { Note } from '#components/ui/note.tsx'
import { Refusal } from '#components/ui/outcome.tsx'

const TIME_TO_READ_MS = 2000

type GrantAdminProps = {
  name: string
  email: string | null
  role: string
  /** false on a public service, where no one may make themselves admin */
  disabled: boolean
  /** why a form that was sent was not taken */
  message?: string | undefined
}

/** Makes the account that is signed in a super admin, to try the service out. */
export function GrantAdmin({ name, email, role, disabled, message }: GrantAdminProps) {
  return (
    <>
      <h1>Grant Admin</h1>
      <div className="sheet stack">
        <Refusal>{message}</Refusal>
        {disabled ? <InProduction /> : <InDevelopment />}
        <Facts
          size="medium"
          facts={[
            { label: 'Name', value: name },
            { label: 'Email', value: email ?? 'N/A' },
            { label: 'Role', value: <Badge>{role}</Badge> },
          ]}
        />
        <form
          className="row"
          method="post"
          action="/grant-admin"
          data-enhance
          data-failed="Failed to grant admin privileges"
          data-refused="{detail}"
          data-done="Super admin privileges granted successfully!"
          data-next="/admin"
          data-after={TIME_TO_READ_MS}
        >
          {!disabled && (
            <button className="btn btn-main btn-grow" type="submit">
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
