import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { SelectField, TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { ROLE_NAMES, type ShareRole } from '#domain/people/roles.ts'
import { settingsAction } from '#domain/settings.ts'

/** The most frequent first. */
const ROLES: { role: ShareRole; can: string; more: string }[] = [
  {
    role: 'member',
    can: 'Answer finders',
    more: 'Reads and answers messages, marks as lost',
  },
  {
    role: 'manager',
    can: 'Everything but delete',
    more: 'Also edits and makes codes, and sees private documents',
  },
  {
    role: 'viewer',
    can: 'Only look',
    more: 'Sees the codes and their messages',
  },
]

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
  const { person, email, role: chosen, scope, scopes, hint, message } = props
  return (
    <FormDialog
      title={person ? `Change ${person.name}` : 'Share with a person'}
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
      <fieldset className="stack gap-2">
        <legend className="legend">What may they do?</legend>
        {ROLES.map(({ role, can, more }) => (
          <label key={role} className="option">
            <input type="radio" name="role" value={role} defaultChecked={role === chosen} />
            <span>
              <b>
                {can} <Badge>{ROLE_NAMES[role]}</Badge>
              </b>
              <small>{more}</small>
            </span>
          </label>
        ))}
      </fieldset>
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

type EndFormProps = { id: string; name: string; isOwner: boolean; isMailed: boolean }

/** Asks before a share ends: for a person of the owner, or for an owner that the account helps. */
export function EndForm({ id, name, isOwner, isMailed }: EndFormProps) {
  const person = (
    <b className="any-break">
      <bdi translate="no">{name}</bdi>
    </b>
  )
  return (
    <AskDialog
      title={isOwner ? 'Remove this person?' : 'Stop helping?'}
      keep={isOwner ? 'Keep' : 'Stay'}
      act={isOwner ? 'Remove' : 'Leave'}
      icon="close"
      action={settingsAction('people', `/${id}/${isOwner ? 'remove' : 'leave'}`)}
      failed={isOwner ? 'Failed to remove this person' : 'Failed to leave'}
    >
      {isOwner ? (
        <p>
          {person} no longer sees your codes and messages, from now on. Documents that they added
          stay with you.
        </p>
      ) : (
        <p>
          You no longer see the codes and messages of {person}, from now on. Only a new invitation
          brings them back.
        </p>
      )}
      {isMailed && <p>You both get an e-mail.</p>}
    </AskDialog>
  )
}
