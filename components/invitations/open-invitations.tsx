import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { ListTable } from '#components/ui/list-table.tsx'
import { managementHref } from '#domain/admin/management.ts'

const ACTION = '/admin-dashboard/invitations'

/** An open invitation as the list shows it. */
export type InvitationRow = { id: string; email: string; by: string; until: string }

/** The invitations that still work. */
export function InvitationList({ rows }: { rows: InvitationRow[] }) {
  return (
    <section className="sheet stack" aria-labelledby="invitations">
      <h2 className="text-lg" id="invitations">
        Open invitations
      </h2>
      <ListTable
        label="Open invitations"
        rows={rows}
        head={{
          label: 'Address',
          cell: ({ email }) => <span className="any-break">{email}</span>,
        }}
        columns={[
          { label: 'Invited by', cell: ({ by }) => by },
          { label: 'Until', cell: ({ until }) => until },
        ]}
        idOf={({ id }) => `invitation-${id}`}
        actions={({ id, email }) => (
          <a
            className="btn btn-sm btn-quiet btn-red"
            href={managementHref('users', { withdraw: id })}
            data-dialog="withdraw"
            data-gone="Invitation not found"
          >
            Withdraw
            <span className="vh">{` the invitation of ${email}`}</span>
          </a>
        )}
      />
    </section>
  )
}

/** Opens the dialog that invites somebody. */
export function InviteLink() {
  return (
    <a className="btn" href={managementHref('users', { invite: '1' })} data-dialog="invite">
      <Icon name="plus" />
      Invite
    </a>
  )
}

type InviteFormProps = Pick<FormState, 'message'> & {
  /** whether the server can mail the link */
  canMail: boolean
  /** the typed address of a form that was refused */
  email?: string | undefined
  days: number
}

/** Asks for the address of the invited person. */
export function InviteForm({ canMail, email, days, message }: InviteFormProps) {
  return (
    <FormDialog
      title="Invite somebody"
      submit="Invite"
      action={ACTION}
      failed="Failed to invite"
      message={message}
      noValidate
    >
      <TextField
        label="Email"
        name="email"
        type="email"
        defaultValue={email}
        autoComplete="off"
        hint={
          canMail
            ? `We mail a link that works for ${days} days.`
            : `You get a link to pass on. It works for ${days} days.`
        }
      />
    </FormDialog>
  )
}

/** Asks before the link of an invitation stops working. */
export function WithdrawForm({ id, email }: Pick<InvitationRow, 'id' | 'email'>) {
  return (
    <AskDialog
      title="Withdraw this invitation?"
      keep="Keep it"
      act="Withdraw"
      icon="close"
      action={`${ACTION}/${id}/withdraw`}
      failed="Failed to withdraw invitation"
    >
      <p>
        The link of <b className="any-break">{email}</b> stops working at once.
      </p>
    </AskDialog>
  )
}
