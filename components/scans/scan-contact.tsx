import { ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanPlate } from '#components/scans/scan-plate.tsx'
import type { Thing } from '#domain/codes/visibility.ts'
import { linkTextsOf } from '#domain/scans/link-texts.ts'
import type { ScanLinks, ScanView } from '#domain/scans/scan-view.ts'
import type { ScanTexts } from '#locales/catalogue.ts'

/** The owner's own texts: in any language, and never translated. */
const anyLanguage = { lang: '', dir: 'auto' } as const

/** The owner of the keys. */
export function ScanOwner({ view, words }: { view: ScanView; words: ScanTexts }) {
  const about = [view.city_area, view.vehicle_make_model, view.company_fleet_name]
  const aboutLine = about.filter(Boolean).join(' · ')
  return (
    <section className="sheet" aria-label={words.owner}>
      {view.owner_name && <h2 {...anyLanguage}>{view.owner_name}</h2>}
      {aboutLine && <p {...anyLanguage}>{aboutLine}</p>}
      {view.vehicle_registration && <ScanPlate registration={view.vehicle_registration} />}
      {view.public_message && (
        <blockquote {...(!view.is_default_message && anyLanguage)}>
          {view.public_message}
        </blockquote>
      )}
    </section>
  )
}

type ScanActionsProps = {
  view: ScanView
  words: ScanTexts
  /** a note covers the lower half of the page, and with it the emergency box */
  hasNote: boolean
}

/** The ways to reach the owner, the strongest first; a missing one leaves no gap. The first two stay in sight. */
export function ScanActions({ view, words, hasNote }: ScanActionsProps) {
  const { call, message, whatsapp, sms, email } = view.links
  const mail = email && { ...email, address: view.email, thing: view.thing, words }
  const isMailMain = !call && !message
  return (
    <>
      {(call || message || mail || hasNote) && (
        <nav className="act" aria-label={words.reach}>
          {call && <CallLink {...call} words={words} />}
          {message && (
            <MessageLink href={message} words={words} isMain={!call} isOnly={view.is_relay} />
          )}
          {isMailMain && mail && <EmailLink {...mail} look="b call" />}
          {hasNote && (
            <a className="b now" href="tel:112">
              <ScanIcon name="medic" />
              {words.call112}
            </a>
          )}
        </nav>
      )}
      {(whatsapp || sms || (mail && !isMailMain)) && (
        <div className="more">
          {whatsapp && <WhatsAppLink {...whatsapp} thing={view.thing} words={words} />}
          {sms && <SmsLink href={sms} words={words} />}
          {mail && !isMailMain && <EmailLink {...mail} look="b" />}
        </div>
      )}
    </>
  )
}

type CallLinkProps = { href: string; display: string; words: ScanTexts }

export function CallLink({ href, display, words }: CallLinkProps) {
  return (
    <a className="b call" href={href}>
      <ScanIcon name="phone" />
      <span>
        {words.call}
        <small dir="ltr">{display}</small>
      </span>
    </a>
  )
}

type MessageLinkProps = { href: string; words: ScanTexts; isMain: boolean; isOnly: boolean }

export function MessageLink({ href, words, isMain, isOnly }: MessageLinkProps) {
  return (
    <a className={isMain ? 'b call' : 'b msg'} href={href}>
      <ScanIcon name="chat" />
      <span>
        {words.messageOwner}
        <small>{isOnly ? words.messageOnly : words.messageToo}</small>
      </span>
    </a>
  )
}

type EmailLinkProps = NonNullable<ScanLinks['email']> & {
  address: string | null
  thing: Thing
  words: ScanTexts
  look: string
}

/** The address can be read too: not every phone has a mail program. */
export function EmailLink({ href, hasSubject, address, thing, words, look }: EmailLinkProps) {
  const { subject } = linkTextsOf(words.things[thing])
  return (
    <a className={look} href={hasSubject ? href + subject : href}>
      <ScanIcon name="mail" />
      <span>
        {words.email}
        <small dir="ltr">{address}</small>
      </span>
    </a>
  )
}

type WhatsAppLinkProps = NonNullable<ScanLinks['whatsapp']> & { thing: Thing; words: ScanTexts }

export function WhatsAppLink({ href, code, thing, words }: WhatsAppLinkProps) {
  const { before, after } = linkTextsOf(words.things[thing])
  return (
    <a className="b wa" href={code ? href + before + code + after : href}>
      <ScanIcon name="whatsapp" />
      <span>
        {words.whatsapp}
        <small>{words.written}</small>
      </span>
    </a>
  )
}

export function SmsLink({ href, words }: { href: string; words: ScanTexts }) {
  return (
    <a className="b" href={href}>
      <ScanIcon name="sms" />
      {words.sms}
    </a>
  )
}
