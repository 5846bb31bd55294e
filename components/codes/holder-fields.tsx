import { qrControl } from '#components/codes/qr-control.ts'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { PhoneField as PhoneInput } from '#components/forms/phone-field.tsx'
import type { About } from '#components/forms/place-problem.ts'
import { FinderFields, type FinderState } from '#components/scans/finder-fields.tsx'
import { CLAIM_FIELDS, type ClaimField } from '#domain/codes/claim.ts'
import { offeredBy, type PhoneField } from '#domain/codes/phones.ts'
import { QR_FIELDS } from '#domain/codes/qr.ts'
import type { Catalogue } from '#locales/catalogue.ts'

export type HolderValues = Record<string, string>
type HolderWords = Pick<Catalogue, 'page' | 'holder'>
type State = {
  values: HolderValues
  problems: Parameters<typeof qrControl>[1]['problems']
  /** the subject of the refusal of the server */
  refused: string | undefined
  words: HolderWords
}

/** The fields of the holder of a code without a vehicle, by the subjects of refusals. */
export const ABOUT_HOLDER: About<ClaimField> = {
  ...Object.fromEntries(CLAIM_FIELDS.map((name) => [QR_FIELDS[name].label, name])),
  'invalid.email': 'email',
  'invalid.emergency_phone': 'emergency_contact_phone',
  'invalid.emergency_phone_abroad': 'emergency_contact_phone',
  'invalid.emergency_phone_unknown': 'emergency_contact_phone',
  'invalid.finder_number_missing': 'contact_phone',
  'invalid.full_name_missing': 'owner_name',
  'invalid.mobile': 'contact_phone',
  'invalid.mobile_abroad': 'contact_phone',
  'invalid.mobile_unknown': 'contact_phone',
}

/** Makes a control like `qrControl` does, in the page's language. */
export function holderControl(
  name: Parameters<typeof qrControl>[0],
  { values, problems, words }: State,
) {
  return qrControl(name, { values, problems, labels: words.holder })
}

/** Makes the control of a number. */
export function holderPhone(name: PhoneField, state: State) {
  const { values, refused, words } = state
  const isAnyway = Boolean(values[`${name}_anyway`])
  const anyway = isAnyway || offeredBy(refused) === name ? words.holder.anyway : undefined
  return { ...holderControl(name, state), anyway, isAnyway }
}

/** Closed until there is something in it, or something wrong with it. */
export function EmergencyFields({ state }: { state: State }) {
  const { holder, page } = state.words
  const name = holderControl('emergency_contact_name', state)
  const phone = holderPhone('emergency_contact_phone', state)
  const open = [name, phone].some(({ defaultValue, error }) => defaultValue || error)
  return (
    <details className="fold" open={open}>
      <summary>
        {holder.emergency} <small className="soft">{page.optional}</small>
      </summary>
      <div className="fields-2">
        <TextField {...name} />
        <PhoneInput {...phone} />
      </div>
    </details>
  )
}

/** The finder section of the owner's form. */
export function FinderSection({ state }: { state: FinderState }) {
  return (
    <section className="stack" aria-labelledby="finder">
      <h2 id="finder" className="text-lg">
        {state.words.finderSees}
      </h2>
      <FinderFields state={state} />
    </section>
  )
}

export function CityField({ state }: { state: State }) {
  return <TextField {...holderControl('city_area', state)} optional={state.words.page.optional} />
}

export function MessageField({ state }: { state: State }) {
  return <TextAreaField {...holderControl('public_message', state)} rows={3} />
}
