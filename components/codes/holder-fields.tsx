import { qrControl } from '#components/codes/qr-control.ts'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { FinderFields, type FinderState } from '#components/scans/finder-fields.tsx'

export type HolderValues = Record<string, string>
type State = { values: HolderValues; problems: Parameters<typeof qrControl>[1]['problems'] }

/** Which field a sentence about a code's details means; those of the holder come after these. */
export const ABOUT_DETAILS = [
  [/emergency contact name/i, 'emergency_contact_name'],
  [/emergency contact phone/i, 'emergency_contact_phone'],
  [/city/i, 'city_area'],
  [/public message/i, 'public_message'],
] as const

/** Closed until there is something in it, or something wrong with it. */
export function EmergencyFields({ state }: { state: State }) {
  const name = qrControl('emergency_contact_name', state)
  const phone = qrControl('emergency_contact_phone', state)
  const open = [name, phone].some(({ defaultValue, error }) => defaultValue || error)
  return (
    <details className="fold" open={open}>
      <summary>
        Emergency contact <small className="soft">(optional)</small>
      </summary>
      <div className="fields-2">
        <TextField {...name} />
        <TextField {...phone} type="tel" />
      </div>
    </details>
  )
}

/** As the tab of the owner's form. */
export function FinderSection({ state }: { state: FinderState }) {
  return (
    <section className="stack" aria-labelledby="finder">
      <h2 id="finder" className="text-lg">
        What a finder sees
      </h2>
      <FinderFields state={state} />
    </section>
  )
}

export function CityField({ state }: { state: State }) {
  return <TextField {...qrControl('city_area', state)} optional />
}

export function MessageField({ state }: { state: State }) {
  return <TextAreaField {...qrControl('public_message', state)} rows={3} />
}
