import { MainButton, PasswordFields, Refusal } from '#components/accounts/login-parts.tsx'
import {
  ABOUT_DETAILS,
  CityField,
  EmergencyFields,
  FinderSection,
  type HolderValues,
  MessageField,
} from '#components/codes/holder-fields.tsx'
import { TextField } from '#components/forms/field.tsx'
import { type About, placeBy } from '#components/forms/place-problem.ts'
import { Note } from '#components/ui/note.tsx'
import { childRegistrationProblem, cleanChildDetails } from '#domain/families/child-registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { useTyped } from '#islands/codes/_typed.ts'
import { ContactFields, readContactType } from '#islands/families/_child-contact.tsx'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'

const TO_LOGIN_MS = 2000

type Field = 'name' | 'contact' | 'password' | 'confirm_password'
type Detail = (typeof ABOUT_DETAILS)[number][1]

const ABOUT: About<Field | Detail> = [
  ...ABOUT_DETAILS,
  [/do not match/, 'confirm_password'],
  [/password/i, 'password'],
  [/mobile|email|contact/i, 'contact'],
  [/name/i, 'name'],
]

type ChildFormProps = { qr_id: string; values: HolderValues; problem?: string }

/** Registers a child code: an account by contact and password, and the code's details. */
export function ChildForm(props: ChildFormProps) {
  const { qr_id, values } = props
  const { form, problem, onSubmit } = useCheckedForm(props, (fields) =>
    childRegistrationProblem(toChildForm(fields)),
  )
  const [typed, look] = useTyped(form)
  const { at: problems, elsewhere } = placeBy(ABOUT, problem)
  const state = { values, problems }
  return (
    <form
      ref={form}
      className="stack"
      method="post"
      action={`/child-register?qr=${qr_id}`}
      noValidate
      data-enhance
      data-failed="Failed to register QR code"
      data-refused="{detail}"
      data-done="QR Code registered successfully! You can now login with your credentials."
      data-next="/login?registered=true"
      data-after={TO_LOGIN_MS}
      onSubmit={onSubmit}
      onInput={look}
    >
      <h1>Register this QR code</h1>
      <Note tone="go">No OTP is needed. Choose a password and you are done.</Note>
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Full Name"
        name="name"
        defaultValue={values.name}
        error={problems.name}
        maxLength={LENGTHS.name}
        autoComplete="name"
      />
      <ContactFields values={values} error={problems.contact} />
      <CityField state={state} />
      <div className="fields-2">
        <PasswordFields labels={['Password', 'Confirm Password']} errors={problems} />
      </div>
      <EmergencyFields state={state} />
      <MessageField state={state} />
      <FinderSection state={{ values, typed: toCodeFields(typed ?? values), canMessage: true }} />
      <MainButton busyLabel="Registering...">Register QR Code</MainButton>
    </form>
  )
}

/** Under the names that they will have on the code. */
function toCodeFields({ name, contact, contact_type, ...fields }: Record<string, string>) {
  const kind = readContactType(contact_type) === 'email' ? 'email' : 'contact_phone'
  return { ...fields, owner_name: name, [kind]: contact }
}

function toChildForm(fields: Record<string, string>) {
  const { name = '', contact = '', contact_type, password = '', confirm_password } = fields
  return {
    name,
    contact,
    contactType: readContactType(contact_type),
    password,
    confirmPassword: confirm_password,
    details: cleanChildDetails(fields),
  }
}
