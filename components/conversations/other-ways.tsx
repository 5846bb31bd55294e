import { CallLink, EmailLink, SmsLink, WhatsAppLink } from '#components/scans/scan-contact.tsx'
import { EmergencyContact } from '#components/scans/scan-emergency.tsx'
import type { Thing } from '#domain/codes/visibility.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { Catalogue } from '#locales/catalogue.ts'

type OtherWaysProps = {
  view: ScanView
  words: Catalogue
  /** whether the finder may have the thing in hand */
  canLeave: boolean
  /** the page has no call to 112 */
  isAlone?: boolean
}

/** The ways to the owner beside messages, and the safe places for a thing that can be carried. */
export function OtherWays({ view, words, canLeave, isAlone }: OtherWaysProps) {
  const { call, whatsapp, sms, email, emergency } = view.links
  const { scan, message } = words
  const about = { thing: view.thing, words: scan }
  return (
    <>
      {(call || email || emergency) && (
        <nav className="ways" aria-label={message.otherWays}>
          {call && <CallLink {...call} words={scan} />}
          {whatsapp && <WhatsAppLink {...whatsapp} {...about} />}
          {sms && <SmsLink href={sms} words={scan} />}
          {email && <EmailLink {...email} {...about} address={view.email} look="b" />}
          {emergency && <EmergencyContact contact={emergency} words={scan} isAlone={isAlone} />}
        </nav>
      )}
      {canLeave && <SafePlaces thing={view.thing} words={words} />}
    </>
  )
}

export function SafePlaces({ thing, words }: { thing: Thing; words: Catalogue }) {
  const { leaveKeys, leaveIt } = words.message
  return thing === 'vehicle' ? null : <p>{thing === 'keys' ? leaveKeys : leaveIt}</p>
}
