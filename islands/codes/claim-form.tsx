import { MainButton, Refusal } from '#components/accounts/login-parts.tsx'
import {
  ABOUT_DETAILS,
  CityField,
  EmergencyFields,
  FinderSection,
  type HolderValues,
  MessageField,
} from '#components/codes/holder-fields.tsx'
import { qrControl } from '#components/codes/qr-control.ts'
import { QrFrame } from '#components/codes/qr-frame.tsx'
import { TextField } from '#components/forms/field.tsx'
import { placeBy } from '#components/forms/place-problem.ts'
import { Note } from '#components/ui/note.tsx'
import { type ClaimField, claimProblem, cleanClaim } from '#domain/codes/claim.ts'
import { useTyped } from '#islands/codes/_typed.ts'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'

const TO_SCAN_PAGE_MS = 1500

const ABOUT: [RegExp, ClaimField][] = [
  ...ABOUT_DETAILS.map(([pattern, field]): [RegExp, ClaimField] => [pattern, field]),
  [/mobile number/i, 'contact_phone'],
  [/email/i, 'email'],
  [/full name/i, 'owner_name'],
]

type ClaimFormProps = {
  qr_id: string
  qr_id_text: string
  /** the code as a data: URL */
  image: string
  signedIn: boolean
  values: HolderValues
  problem?: string
}

/** Puts the claimer's details on a code that nobody has claimed yet. */
export function ClaimForm(props: ClaimFormProps) {
  const { qr_id, values } = props
  const { form, problem, onSubmit } = useCheckedForm(props, (fields) =>
    claimProblem(cleanClaim(fields)),
  )
  const [typed, look] = useTyped(form)
  const { at: problems, elsewhere } = placeBy(ABOUT, problem)
  const state = { values, problems }
  return (
    <form
      ref={form}
      className="sheet stack"
      method="post"
      action={`/claim?qr=${qr_id}`}
      noValidate
      data-enhance
      data-failed="Failed to claim QR code"
      data-refused="{detail}"
      data-done="QR Code claimed successfully!"
      data-next={`/scan/${qr_id}`}
      data-after={TO_SCAN_PAGE_MS}
      onSubmit={onSubmit}
      onInput={look}
    >
      <div className="claim-head">
        <QrFrame src={props.image} caption={props.qr_id_text} alt={`QR code ${props.qr_id_text}`} />
        <h1>Claim this QR code</h1>
      </div>
      <Refusal>{elsewhere}</Refusal>
      <TextField {...qrControl('owner_name', state)} autoComplete="name" />
      <TextField
        {...qrControl('contact_phone', state)}
        hint="A finder calls this number."
        type="tel"
        autoComplete="tel"
      />
      <TextField
        {...qrControl('email', state)}
        hint={
          props.signedIn
            ? undefined
            : 'Finders see it. The account that you create with it gets this code.'
        }
        type="email"
        autoComplete="email"
        optional
      />
      <CityField state={state} />
      <EmergencyFields state={state} />
      <MessageField state={state} />
      <FinderSection state={{ values, typed: typed ?? values, canMessage: props.signedIn }} />
      <Note>
        {props.signedIn
          ? 'You can manage this code in your dashboard.'
          : 'You can manage this code after creating an account.'}
      </Note>
      <MainButton disabled={typed !== undefined && !isFilled(typed)} busyLabel="Claiming...">
        Claim QR Code
      </MainButton>
      <a className="btn btn-quiet btn-block" href="/">
        Cancel
      </a>
    </form>
  )
}

/** Whether name and number are there. Without script the button must not wait for them. */
function isFilled(fields: Record<string, string>): boolean {
  const { owner_name, contact_phone } = cleanClaim(fields)
  return Boolean(owner_name && contact_phone)
}
