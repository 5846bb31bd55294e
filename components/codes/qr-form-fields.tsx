import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import { qrControl as control, qrDateControl } from '#components/codes/qr-control.ts'
import { SelectField, TextAreaField, TextField } from '#components/forms/field.tsx'
import { FormTabs } from '#components/forms/form-tabs.tsx'
import { PhoneField as PhoneInput } from '#components/forms/phone-field.tsx'
import type { IconName } from '#components/icons/icon.tsx'
import { ContactModeLabels, ContactModes, FinderFields } from '#components/scans/finder-fields.tsx'
import { Note } from '#components/ui/note.tsx'
import type { ShownBrand } from '#domain/brands/brand.ts'
import type { PhoneField } from '#domain/codes/phones.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import {
  BLOOD_GROUPS,
  NOT_SPECIFIED,
  QR_FIELDS,
  QR_TABS,
  type QrField,
  type QrInput,
  type QrTab,
} from '#domain/codes/qr.ts'
import { KEPT_PIN, type QrProblems } from '#domain/codes/qr-form.ts'
import type { Catalogue } from '#locales/catalogue.ts'

export type QrFormState = {
  values: Partial<QrInput>
  problems: QrProblems
  /** the number that may be used anyway */
  offered?: PhoneField | undefined
  /** the typed values, for the plate and the preview */
  typed: Record<string, unknown>
  holder: Catalogue['holder']
  /** an existing code, whether it has a PIN, and whether its company stays */
  edit?: { has_pin: boolean; isBoundToCompany?: boolean | undefined } | undefined
  /** the tab that is open at first */
  open: QrTab
  /** whether the fold in the first tab is open at first */
  isUnfolded: boolean
  /** the brand of the code's page */
  brand?: ShownBrand | undefined
  /** the first code of an account, whose form is the first tab */
  isFirst?: boolean | undefined
}

const ICONS: Record<QrTab, IconName> = {
  'Basic Info': 'user',
  Vehicle: 'car',
  Emergency: 'medic',
  Misc: 'lock',
  Finder: 'eye',
}

/** Returns the tab with the first problem, else the first tab. */
export function tabToOpen(problems: QrProblems): QrTab {
  const first = Object.keys(problems)[0] as QrField | undefined
  return first ? QR_FIELDS[first].tab : QR_TABS[0]
}

/** The fields of the fold in the first tab. */
const FOLDED = ['email', 'city_area', 'public_message'] as const

/** Returns whether a problem is in the fold. */
export function isInFold(problems: QrProblems): boolean {
  return FOLDED.some((name) => problems[name])
}

/** The tabs of the create and edit forms; those that are not open stay in the form. */
export function QrFormFields({ state }: { state: QrFormState }) {
  const contents: Record<QrTab, ReactNode> = {
    'Basic Info': <BasicInfo state={state} />,
    Vehicle: <Vehicle state={state} />,
    Emergency: <Emergency state={state} />,
    Misc: <Misc state={state} />,
    Finder: <Finder state={state} />,
  }
  const tabs = QR_TABS.map((id) => ({ id, label: id, icon: ICONS[id], content: contents[id] }))
  const more = state.isFirst && (
    <>
      <b>More</b> <span className="small soft">(vehicle, emergency, private notes)</span>
    </>
  )
  return <FormTabs name="form_tab" open={state.open} tabs={tabs} isRow more={more} />
}

type Part = { state: QrFormState }

function phone(name: PhoneField, state: QrFormState) {
  const { values, offered, holder } = state
  const isAnyway = values[`${name}_anyway`]
  return {
    ...control(name, state),
    anyway: offered === name || isAnyway ? holder.anyway : undefined,
    isAnyway,
  }
}

function BasicInfo({ state }: Part) {
  const { holder, values } = state
  return (
    <>
      <div className="fields-2">
        <TextField {...control('owner_name', state)} autoComplete="name" />
        <PhoneInput {...phone('contact_phone', state)} autoComplete="tel" />
      </div>
      <ContactModes chosen={values.contact_mode} words={holder} />
      <details className="fold" open={state.isUnfolded}>
        <summary>Email, city, message to finders</summary>
        <div className="stack">
          <div className="fields-2">
            <TextField {...control('email', state)} type="email" autoComplete="email" optional />
            <TextField {...control('city_area', state)} optional />
          </div>
          <TextAreaField
            {...control('public_message', state)}
            hint="A finder reads this first."
            rows={3}
          />
        </div>
      </details>
    </>
  )
}

function Vehicle({ state }: Part) {
  const plate = formatPlate(state.values.vehicle_registration ?? '')
  const registration = String(state.typed.vehicle_registration ?? '')
  return (
    <div className="fields-2">
      <div className="stack gap-2">
        <TextField
          {...control('vehicle_registration', state)}
          defaultValue={plate}
          hint="As on the number plate"
          className="input-upper"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
        />
        {registration.trim() && (
          <div aria-hidden="true">
            <Plate registration={registration} />
          </div>
        )}
      </div>
      <TextField {...control('vehicle_make_model', state)} hint="For example, Honda Activa 6G" />
      <TextField {...control('driving_license_number', state)} className="input-upper" optional />
      <TextField {...control('insurance_policy_number', state)} optional />
      <TextField {...qrDateControl('insurance_expiry_date', state)} optional />
      <TextField {...qrDateControl('next_service_due', state)} optional />
    </div>
  )
}

function Emergency({ state }: Part) {
  const { defaultValue, maxLength, ...group } = control('blood_group', state)
  const none = state.edit ? NOT_SPECIFIED : ''
  return (
    <>
      <div className="fields-2">
        <TextField {...control('emergency_contact_name', state)} />
        <PhoneInput {...phone('emergency_contact_phone', state)} />
        <SelectField {...group} defaultValue={defaultValue || none}>
          <option value={none}>{state.edit ? 'Not specified' : 'Select blood group'}</option>
          {BLOOD_GROUPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
      <Note>
        Anyone who scans can see it, to help you after an accident. Also when your number stays
        hidden.
      </Note>
    </>
  )
}

function Finder({ state }: Part) {
  const { values, typed, brand, holder } = state
  return (
    <>
      <h3>{holder.finderSees}</h3>
      <FinderFields
        state={{ values, typed, canMessage: true, words: holder, brand }}
        modes={<ContactModeLabels words={holder} />}
      />
    </>
  )
}

function Misc({ state }: Part) {
  const { values, edit } = state
  const pin = control('optional_pin', state)
  const keep = edit?.has_pin ? '. Leave it empty to keep the PIN there is.' : ''
  return (
    <>
      <div className="fields-2">
        <TextField
          {...control('company_fleet_name', state)}
          readOnly={edit?.isBoundToCompany}
          optional
        />
        <div className="stack gap-2">
          <TextField
            {...pin}
            defaultValue={values.optional_pin === KEPT_PIN ? '' : pin.defaultValue}
            hint={`4-6 digit PIN${keep}`}
            type="password"
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
          />
          {edit?.has_pin && (
            <label className="toggle">
              <input
                type="checkbox"
                name="remove_pin"
                defaultChecked={values.optional_pin === null}
              />
              Remove the PIN
            </label>
          )}
        </div>
      </div>
      <TextAreaField
        {...control('notes_instructions', state)}
        hint="Opened by the PIN. Without one, only you see these."
        rows={3}
      />
    </>
  )
}
