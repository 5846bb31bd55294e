import { SameIcon, ScanIcon } from '#components/scans/scan-icon.tsx'
import type { ScanLinks, ScanView } from '#domain/scans/scan-view.ts'
import type { ScanTexts } from '#locales/catalogue.ts'

/** The only red thing on the page; without anything to say about this owner it is not there. */
export function ScanEmergency({ view, words }: { view: ScanView; words: ScanTexts }) {
  const contact = view.links.emergency
  if (!contact && !view.blood_group) return null
  return (
    <section className="sheet sos">
      <h2>{words.accident}</h2>
      <div>
        <EmergencyCalls contact={contact} words={words} />
        {view.blood_group && (
          <p className="blood">
            <ScanIcon name="drop" />
            <b dir="ltr">{view.blood_group}</b>
            <span>{words.bloodGroup}</span>
          </p>
        )}
      </div>
    </section>
  )
}

type EmergencyCallsProps = { contact: ScanLinks['emergency']; words: ScanTexts }

/** 112 first, then the owner's emergency contact. */
export function EmergencyCalls({ contact, words }: EmergencyCallsProps) {
  return (
    <>
      <a className="b big112" href="tel:112">
        <ScanIcon name="phone" id="tel" />
        <span>
          {words.call112}
          <small>{words.services}</small>
        </span>
      </a>
      {contact && <EmergencyContact contact={contact} words={words} />}
    </>
  )
}

type EmergencyContactProps = {
  contact: NonNullable<ScanLinks['emergency']>
  words: ScanTexts
  /** no call to 112 on the page has the icon already */
  isAlone?: boolean
}

export function EmergencyContact({ contact, words, isAlone }: EmergencyContactProps) {
  return (
    <a className="b" href={contact.href}>
      {isAlone ? <ScanIcon name="phone" /> : <SameIcon id="tel" />}
      <span>
        {contact.name && <bdi lang="">{contact.name}</bdi>}
        <small>{words.emergencyContact}</small>
        <small dir="ltr">{contact.display}</small>
      </span>
    </a>
  )
}
