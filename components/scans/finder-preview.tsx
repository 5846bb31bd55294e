import { Plate } from '#components/codes/plate.tsx'
import { Mark } from '#components/frame/logo.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { normalizeMobile } from '#domain/accounts/contact.ts'
import { cleanQrFields, NO_QR_FIELDS } from '#domain/codes/qr.ts'
import { hiddenFields } from '#domain/codes/visibility.ts'

type Typed = { typed: Record<string, unknown>; canMessage: boolean }

/** The finder's page in small, made of what stands in the form by the rule that the page follows. */
export function FinderPreview({ typed, canMessage }: Typed) {
  const { name, about, plate, buttons, foot } = toPreview(typed, canMessage)
  return (
    <section className="beside-view" aria-label="Preview">
      <div className="peek">
        <span className="peek-head">
          <Mark />
          DriveQR
        </span>
        <span className="peek-find">
          <Icon name="key" />
          Found these keys?
        </span>
        <span className="peek-sheet">
          {name && <b>{name}</b>}
          {about && <span>{about}</span>}
          {plate && <Plate registration={plate} />}
        </span>
        {buttons.map(({ icon, label }, i) => (
          <span key={label} className={i === 0 ? 'peek-btn peek-main' : 'peek-btn'}>
            <Icon name={icon} />
            {label}
          </span>
        ))}
        {foot && <span className="peek-foot">{foot}</span>}
      </div>
      <span className="small soft">Preview of your page</span>
    </section>
  )
}

const CALL = { icon: 'phone', label: 'Call owner' } as const
const MESSAGE = { icon: 'chat', label: 'Message owner' } as const
const EMAIL = { icon: 'mail', label: 'Email' } as const

function toPreview(typed: Record<string, unknown>, canMessage: boolean) {
  const fields = { ...NO_QR_FIELDS, ...cleanQrFields(typed) }
  const { show_vehicle = true, show_city = true } = fields
  const contact_mode = canMessage ? (fields.contact_mode ?? 'public') : 'public'
  const shown = { ...fields, ...hiddenFields(fields, { contact_mode, show_vehicle, show_city }) }
  const call = normalizeMobile(shown.contact_phone ?? '') !== undefined
  const ways = [call && CALL, canMessage && MESSAGE].filter((way) => way !== false)
  const further = [...(call ? ['WhatsApp', 'SMS'] : []), ...(shown.email ? [EMAIL.label] : [])]
  const isOnlyEmail = ways.length === 0 && Boolean(shown.email)
  const about = [shown.city_area, shown.vehicle_make_model, shown.company_fleet_name]
  return {
    name: shown.owner_name,
    about: about.filter(Boolean).join(' · '),
    plate: shown.vehicle_registration,
    buttons: isOnlyEmail ? [EMAIL] : ways,
    foot:
      contact_mode === 'relay'
        ? 'No call, WhatsApp, SMS or email button'
        : isOnlyEmail
          ? ''
          : further.join(' · '),
  }
}
