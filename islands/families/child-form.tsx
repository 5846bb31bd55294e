import { MainButton, PasswordFields } from '#components/accounts/login-parts.tsx'
import { PrivacyLine } from '#components/accounts/privacy-line.tsx'
import {
  ABOUT_HOLDER,
  CityField,
  EmergencyFields,
  FinderSection,
  type HolderValues,
  MessageField,
} from '#components/codes/holder-fields.tsx'
import { AgeField } from '#components/families/age-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { type About, type Problem, placeBy } from '#components/forms/place-problem.ts'
import { Note } from '#components/ui/note.tsx'
import { Refusal, Said } from '#components/ui/outcome.tsx'
import type { ShownBrand } from '#domain/brands/brand.ts'
import type { ClaimField } from '#domain/codes/claim.ts'
import { childRegistrationProblem, cleanChildDetails } from '#domain/families/child-registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { useTyped } from '#islands/codes/_typed.ts'
import { ContactFields, readContactType } from '#islands/families/_child-contact.tsx'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import type { RefusalTexts } from '#locales/refusal.ts'

const TO_LOGIN_MS = 2000

type Field = 'name' | 'contact' | 'password' | 'confirm_password' | 'adult'

const ABOUT: About<Field | ClaimField> = {
  ...ABOUT_HOLDER,
  'conflict.contact_taken': 'contact',
  'conflict.email_taken': 'contact',
  'invalid.age_missing': 'adult',
  'invalid.child_contact_missing': 'contact',
  'invalid.child_email': 'contact',
  'invalid.child_mobile': 'contact',
  'invalid.name_missing': 'name',
  'invalid.password_long': 'password',
  'invalid.password_missing': 'password',
  'invalid.password_short': 'password',
  'invalid.passwords_differ': 'confirm_password',
  Name: 'name',
  // These are named by the schema.
  contact: 'contact',
  name: 'name',
  password: 'password',
}

type ChildFormProps = {
  qr_id: string
  values: HolderValues
  problem?: Problem | undefined
  brand?: ShownBrand | undefined
  words: Pick<Catalogue, 'page' | 'holder' | 'child' | 'password'>
  texts: RefusalTexts
}

/** Its buttons of other languages are in the head of the page. */
export const CHILD_FORM = 'register'

/** Registers a child code: an account by contact and password, and the code's details. */
export function ChildForm(props: ChildFormProps) {
  const { qr_id, values, words } = props
  const { holder, child, password } = words
  const check = (fields: Record<string, string>) =>
    childRegistrationProblem(toChildForm(fields)) ??
    (fields.adult ? undefined : 'invalid.age_missing')
  const { form, problem, onSubmit, forget } = useCheckedForm(props, check)
  const [typed, look] = useTyped(form)
  const { at: problems, elsewhere } = placeBy(ABOUT, problem)
  const state = { values, problems, refused: props.problem?.subject, words }
  return (
    <form
      ref={form}
      id={CHILD_FORM}
      className="stack"
      method="post"
      action={`/child-register?qr=${qr_id}`}
      noValidate
      data-enhance
      data-failed={child.failed}
      data-refused="{detail}"
      data-done={typed?.adult === 'no' ? child.doneWaiting : child.done}
      data-next={typed?.adult === 'no' ? '/login?guardian=true' : '/login?registered=true'}
      data-after={TO_LOGIN_MS}
      onSubmit={onSubmit}
      onInput={look}
    >
      <h1>{child.title}</h1>
      <Note tone="go">{child.noOtp}</Note>
      <Said />
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label={holder.owner_name}
        name="name"
        defaultValue={values.name}
        error={problems.name}
        maxLength={LENGTHS.name}
        autoComplete="name"
      />
      <ContactFields
        values={values}
        error={problems.contact}
        words={child}
        onType={() => problems.contact && forget()}
      />
      <CityField state={state} />
      <div className="fields-2">
        <PasswordFields
          labels={[password.password, password.confirm]}
          hint={password.hint}
          errors={problems}
          peek={password}
        />
      </div>
      <AgeField chosen={values.adult} error={problems.adult} words={child} />
      <EmergencyFields state={state} />
      <MessageField state={state} />
      <FinderSection
        state={{
          values,
          typed: toCodeFields(typed ?? values),
          canMessage: true,
          words: holder,
          brand: props.brand,
        }}
      />
      <PrivacyLine words={holder} />
      <MainButton busyLabel={child.busy}>{child.submit}</MainButton>
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
