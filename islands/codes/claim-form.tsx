import { MainButton } from '#components/accounts/login-parts.tsx'
import { PrivacyLine } from '#components/accounts/privacy-line.tsx'
import {
  ABOUT_HOLDER,
  CityField,
  EmergencyFields,
  FinderSection,
  type HolderValues,
  holderControl,
  holderPhone,
  MessageField,
} from '#components/codes/holder-fields.tsx'
import { QrFrame } from '#components/codes/qr-frame.tsx'
import { TextField } from '#components/forms/field.tsx'
import { PhoneField } from '#components/forms/phone-field.tsx'
import { type About, type Problem, placeBy } from '#components/forms/place-problem.ts'
import { Note } from '#components/ui/note.tsx'
import { Refusal, Said } from '#components/ui/outcome.tsx'
import type { ShownBrand } from '#domain/brands/brand.ts'
import { ACTIVATION_TYPED_MAX } from '#domain/codes/activation.ts'
import { type ClaimField, claimProblem, cleanClaim } from '#domain/codes/claim.ts'
import { useTyped } from '#islands/codes/_typed.ts'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'
import type { RefusalTexts } from '#locales/refusal.ts'

const TO_SCAN_PAGE_MS = 1500

const ABOUT: About<ClaimField | 'activation_code'> = {
  ...ABOUT_HOLDER,
  'forbidden.activation': 'activation_code',
  'invalid.activation_missing': 'activation_code',
  'too_many.activation': 'activation_code',
}

type ClaimFormProps = {
  qr_id: string
  qr_id_text: string
  /** the code as a data: URL */
  image: string
  /** tells that this form is sent again from somebody else's */
  form_key: string
  signedIn: boolean
  needsActivation: boolean
  values: HolderValues
  problem?: Problem | undefined
  /** the brand of the code's future page; null for the product where its name is hidden */
  brand: ShownBrand | null | undefined
  /** whether the page leads to the service's own ones */
  hasHome: boolean
  words: Pick<Catalogue, 'page' | 'holder' | 'claim'>
  texts: RefusalTexts
}

/** Its buttons of other languages are in the head of the page. */
export const CLAIM_FORM = 'claim'

/** Puts the claimer's details on a code that nobody has claimed yet. */
export function ClaimForm(props: ClaimFormProps) {
  const { qr_id, values, words } = props
  const { holder, claim, page } = words
  const check = (fields: Record<string, string>) =>
    props.needsActivation && !fields.activation_code?.trim()
      ? 'invalid.activation_missing'
      : claimProblem(cleanClaim(fields))
  const { form, problem, onSubmit } = useCheckedForm(props, check)
  const [typed, look] = useTyped(form)
  const { at: problems, elsewhere } = placeBy(ABOUT, problem)
  const state = { values, problems, refused: props.problem?.subject, words }
  return (
    <form
      ref={form}
      id={CLAIM_FORM}
      className="sheet stack"
      method="post"
      action={`/claim?qr=${qr_id}`}
      noValidate
      data-enhance
      data-failed={claim.failed}
      data-refused="{detail}"
      data-done={claim.done}
      data-next={`/scan/${qr_id}`}
      data-after={TO_SCAN_PAGE_MS}
      onSubmit={onSubmit}
      onInput={look}
    >
      <input type="hidden" name="form_key" value={props.form_key} />
      <ClaimHead {...props} />
      <Said />
      <Refusal>{elsewhere}</Refusal>
      {props.needsActivation && (
        <ActivationField
          value={values.activation_code}
          error={problems.activation_code}
          words={claim}
        />
      )}
      <TextField {...holderControl('owner_name', state)} autoComplete="name" />
      <PhoneField
        {...holderPhone('contact_phone', state)}
        hint={claim.phoneHint}
        autoComplete="tel"
      />
      <TextField
        {...holderControl('email', state)}
        hint={props.signedIn ? undefined : claim.emailHint}
        type="email"
        autoComplete="email"
        optional={page.optional}
      />
      <CityField state={state} />
      <EmergencyFields state={state} />
      <MessageField state={state} />
      <FinderSection
        state={{
          values,
          typed: typed ?? values,
          canMessage: props.signedIn,
          words: holder,
          brand: props.brand,
        }}
      />
      <Note>{props.signedIn ? claim.inDashboard : claim.afterAccount}</Note>
      <PrivacyLine words={holder} />
      <MainButton disabled={typed !== undefined && !isFilled(typed)} busyLabel={claim.busy}>
        {claim.submit}
      </MainButton>
      {props.hasHome && (
        <a className="btn btn-quiet btn-block" href="/">
          {page.cancel}
        </a>
      )}
    </form>
  )
}

function ClaimHead({ image, qr_id_text, words: { claim } }: ClaimFormProps) {
  return (
    <div className="claim-head">
      <QrFrame src={image} caption={qr_id_text} alt={format(claim.picture, { code: qr_id_text })} />
      <h1>{claim.title}</h1>
    </div>
  )
}

function ActivationField(field: {
  value: string | undefined
  error: string | undefined
  words: Catalogue['claim']
}) {
  return (
    <div data-quiet="">
      <TextField
        className="input-code input-upper"
        label={field.words.activation}
        hint={field.words.activationHint}
        error={field.error}
        name="activation_code"
        maxLength={ACTIVATION_TYPED_MAX}
        defaultValue={field.value}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
      />
    </div>
  )
}

/** Checks whether name and number are there. Without script the button must not wait for them. */
function isFilled(fields: Record<string, string>): boolean {
  const { owner_name, contact_phone } = cleanClaim(fields)
  return Boolean(owner_name && contact_phone)
}
