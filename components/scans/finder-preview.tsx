import { NameAndMark } from '#components/brands/brand-name.tsx'
import { Plate } from '#components/codes/plate.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { THING_ICONS } from '#components/scans/thing-icons.ts'
import { toStoredPhone } from '#domain/accounts/phone.ts'
import type { ShownBrand } from '#domain/brands/brand.ts'
import { cleanQrFields, NO_QR_FIELDS } from '#domain/codes/qr.ts'
import { hiddenFields } from '#domain/codes/visibility.ts'
import type { Catalogue } from '#locales/catalogue.ts'

type Words = Catalogue['holder']['preview']
type Typed = {
  typed: Record<string, unknown>
  canMessage: boolean
  words: Words
  brand?: ShownBrand | null | undefined
}

/** A small finder's page from the form's values, by the same rule as the page itself. */
export function FinderPreview({ typed, canMessage, words, brand }: Typed) {
  const { thing, name, about, plate, buttons, foot } = toPreview(typed, canMessage, words)
  return (
    <section className="beside-view" aria-label={words.name}>
      <div className="peek">
        {brand !== null && (
          <span className="peek-head">
            <NameAndMark brand={brand} />
          </span>
        )}
        <span className="peek-find">
          <Icon name={THING_ICONS[thing]} />
          {words.found[thing]}
        </span>
        <span className="peek-sheet">
          {name && <b>{name}</b>}
          {about && <span>{about}</span>}
          {plate && <Plate registration={plate} />}
        </span>
        {buttons.map((way, i) => (
          <span key={way} className={i === 0 ? 'peek-btn peek-main' : 'peek-btn'}>
            <Icon name={ICONS[way]} />
            {words[way]}
          </span>
        ))}
        {foot && <span className="peek-foot">{foot}</span>}
      </div>
      <span className="small soft">{words.caption}</span>
    </section>
  )
}

const ICONS = { call: 'phone', message: 'chat', email: 'mail' } as const
type Way = keyof typeof ICONS

function toPreview(typed: Record<string, unknown>, canMessage: boolean, words: Words) {
  const fields = { ...NO_QR_FIELDS, ...cleanQrFields(typed) }
  const { thing = 'keys' as const, show_vehicle = true, show_city = true } = fields
  const contact_mode = canMessage ? (fields.contact_mode ?? 'public') : 'public'
  const shown = { ...fields, ...hiddenFields(fields, { contact_mode, show_vehicle, show_city }) }
  const call = toStoredPhone(shown.contact_phone ?? '') !== undefined
  const ways: Way[] = [
    ...(call ? ['call' as const] : []),
    ...(canMessage ? ['message' as const] : []),
  ]
  const further = [...(call ? [words.more] : []), ...(shown.email ? [words.email] : [])]
  const isOnlyEmail = ways.length === 0 && Boolean(shown.email)
  const about = [shown.city_area, shown.vehicle_make_model, shown.company_fleet_name]
  return {
    thing,
    name: shown.owner_name,
    about: about.filter(Boolean).join(' · '),
    plate: shown.vehicle_registration,
    buttons: isOnlyEmail ? ['email' as const] : ways,
    foot: contact_mode === 'relay' ? words.noCall : isOnlyEmail ? '' : further.join(' · '),
  }
}
