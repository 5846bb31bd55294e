import { Plate } from '#components/codes/plate.tsx'
import { ActiveBadge } from '#components/ui/badge.tsx'
import { Facts } from '#components/ui/facts.tsx'

export type ListedCodeView = {
  qr_id_text: string
  /** the owner's name, or the kind of an unclaimed code */
  name: string
  contact_phone: string | null
  vehicle_registration: string | null
  is_active: boolean
  /** the date as it is shown */
  created: string
}

/** A code as an admin sees it. */
export function ListedCodeCard({ view }: { view: ListedCodeView }) {
  const { qr_id_text, name, contact_phone, vehicle_registration, is_active, created } = view
  const facts = [
    { label: 'Mobile', value: contact_phone, ltr: true },
    { label: 'Created', value: created },
  ]
  return (
    <article className="card" aria-label={`${name}, ${qr_id_text}`}>
      <div className="row">
        <code>
          <b>{qr_id_text}</b>
        </code>
        <span className="push" />
        <ActiveBadge active={is_active} />
      </div>
      <h2 className="text-lg any-break">{name}</h2>
      {vehicle_registration && (
        <div>
          <Plate registration={vehicle_registration} />
        </div>
      )}
      <Facts facts={facts.filter(({ value }) => value)} />
    </article>
  )
}
