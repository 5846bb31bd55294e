import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { SelectField, TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import type { ShareRole } from '#domain/people/roles.ts'
import { settingsAction } from '#domain/settings.ts'

const ROLES: Record<ShareRole, string> = {
  member: 'Answer finders (member)',
  manager: 'Everything but delete (manager)',
  viewer: 'Only look (viewer)',
}

type ShareFormProps = Pick<FormState, 'message'> & {
  /** the changed person; without one a person is invited */
  person?: { id: string; name: string } | undefined
  email?: string | undefined
  role: string
  scope: string
  /** the codes to choose from, by the values of the field */
  scopes: { value: string; label: string }[]
  hint: string
}

/** Asks whom to invite, or which role and codes a person has from now on. */
export function ShareForm(props: ShareFormProps) {
  const { person, email, role, scope, scopes, hint, message } = props
  return (
    <FormDialog
      title={person ? `Change ${person.name}` : 'Invite a person'}
      submit={person ? 'Save' : 'Invite'}
      action={settingsAction('people', person ? `/${person.id}` : '')}
      failed={person ? 'Failed to save' : 'Failed to invite'}
      message={message}
      noValidate
    >
      {!person && (
        <TextField
          label="Their e-mail"
          name="email"
          type="email"
          defaultValue={email}
          autoComplete="off"
          hint={hint}
        />
      )}
      <SelectField label="What may they do?" name="role" defaultValue={role}>
        {Object.entries(ROLES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField label="Which codes?" name="scope" defaultValue={scope}>
        {scopes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  )
}

/** Asks before a share ends: for a person of the owner, or for an owner that the account helps. */
export function EndForm({ id, name, isOwner }: { id: string; name: string; isOwner: boolean }) {
  return (
    <AskDialog
      title={isOwner ? 'Remove this person?' : 'Leave?'}
      keep={isOwner ? 'Keep' : 'Stay'}
      act={isOwner ? 'Remove' : 'Leave'}
      icon="close"
      action={settingsAction('people', `/${id}/${isOwner ? 'remove' : 'leave'}`)}
      failed="Failed"
    >
      <p>
        {isOwner ? 'No code of yours is shown any more to ' : 'You see no code any more of '}
        <b>
          <bdi>{name}</bdi>
        </b>
        . Both of you get a mail.
      </p>
    </AskDialog>
  )
}
