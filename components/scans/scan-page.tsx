import type { ComponentProps } from 'react'
import { LanguageLink, LanguageMenu } from '#components/frame/language-menu.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { MessageLink, ScanActions, ScanOwner } from '#components/scans/scan-contact.tsx'
import { ScanEmergency } from '#components/scans/scan-emergency.tsx'
import { SameIcon, ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanLost, SHIELD } from '#components/scans/scan-lost.tsx'
import { ScanNotice } from '#components/scans/scan-notice.tsx'
import { ScanPopupDialog, ScanPopupLine } from '#components/scans/scan-popup.tsx'
import { ScanPrivate } from '#components/scans/scan-private.tsx'
import { THING_ICONS } from '#components/scans/thing-icons.ts'
import type { ScanPopup, ScanUnlock, ScanView } from '#domain/scans/scan-view.ts'
import type { Catalogue, ScanTexts } from '#locales/catalogue.ts'

export type ScanContact = {
  state: 'contact'
  view: ScanView
  /** with an image or a message */
  popup?: ScanPopup
  unlock?: ScanUnlock
  /** the owner is looking at the finder's page */
  preview?: boolean
  /** where the claimer who looks takes the code into an account; for that one browser */
  keepHref?: string | undefined
  /** the demo code has no owner: its links lead to the note that says so */
  sample?: boolean
}

export const SAMPLE_NOTE = 'sample'

export type ScanState =
  | ScanContact
  | { state: 'owner' }
  | { state: 'waiting' }
  | { state: 'unregistered'; qr_id: string }
  /** by the id that it has no more */
  | { state: 'replaced'; qr_id: string; canMessage: boolean }
  | { state: 'not_found' }
  | ScanBusy

/** The page above a limit. A further request for the menu would count too, so it has it already. */
export type ScanBusy = {
  state: 'busy'
  /** when to try again */
  again: string
  /** the part of the query that the other languages keep */
  query: string
}

export type ScanPageProps = {
  words: Catalogue
  scan: ScanState
  /** whether the menu of languages is open */
  hasMenu?: boolean
}

/** The finder's page, body only: no script, no request beside popup images. */
export function ScanPage({ words, scan, hasMenu }: ScanPageProps) {
  const popup = scan.state === 'contact' ? scan.popup : undefined
  const lost = scan.state === 'contact' ? scan.view.lost : null
  const isBusy = scan.state === 'busy'
  const menu = { words, query: queryOf(scan) }
  return (
    <>
      {popup && !lost && <ScanPopupDialog popup={popup} words={words.scan} />}
      {lost && <ScanLost lost={lost} words={words.scan} />}
      <FinderHeader isNameless={isBusy}>
        {hasMenu || isBusy ? (
          <LanguageMenu {...menu} isOpen={hasMenu} />
        ) : (
          <LanguageLink {...menu} />
        )}
      </FinderHeader>
      {scan.state === 'contact' ? (
        <Contact catalogue={words} scan={scan} />
      ) : (
        <ScanNotice {...noticeOf(scan, words.scan)} />
      )}
    </>
  )
}

function queryOf(scan: ScanState): string {
  if (scan.state === 'busy') return scan.query
  return scan.state === 'contact' && scan.preview ? 'preview=1&' : ''
}

function Contact({ catalogue, scan }: { catalogue: Catalogue; scan: ScanContact }) {
  const { view, unlock, popup } = scan
  const { scan: words } = catalogue
  return (
    <main>
      {scan.preview && (
        <p className="preview">
          {`${words.preview} `}
          <a href="/dashboard">{words.dashboard}</a>
        </p>
      )}
      {scan.sample && (
        <p className="preview" id={SAMPLE_NOTE}>
          {words.sample}
        </p>
      )}
      {scan.keepHref && (
        <section className="sheet taken">
          <h2>{catalogue.claim.done}</h2>
          <p>{words.keepText}</p>
          <a className="b call" href={scan.keepHref}>
            <ScanIcon name="key" />
            {words.keep}
          </a>
        </section>
      )}
      <div className="find">
        <ScanIcon name={THING_ICONS[view.thing]} />
        <div>
          <h1>{words.things[view.thing].found}</h1>
          {!isSilent(view) && <p>{words.oneTap}</p>}
        </div>
      </div>
      <ScanOwner view={view} words={words} />
      <ScanActions view={view} words={words} hasNote={Boolean(popup && !view.lost)} />
      <p className="trust">
        <TrustIcon view={view} />
        {trustIn(view, words)}
      </p>
      {popup && view.lost && <ScanPopupLine popup={popup} words={words} />}
      <ScanEmergency view={view} words={words} />
      {view.has_pin && <ScanPrivate qrId={view.qr_id} words={catalogue} unlock={unlock} />}
      <footer className="foot">
        {scan.sample ? (
          <a href="/login">{words.create}</a>
        ) : (
          <>
            <a href={`/police/${view.qr_id}`}>{words.police}</a>{' '}
            <a href={`/scan/${view.qr_id}/report`}>{words.report}</a>
          </>
        )}
        {view.is_child_registered && (
          <>
            <br />
            <a href={`/child-register?qr=${view.qr_id}`}>{words.childUser}</a>
          </>
        )}
      </footer>
    </main>
  )
}

/** Checks whether finders can only write, and nobody can answer now: the account is blocked. */
function isSilent({ is_relay, links }: ScanView): boolean {
  return is_relay && !links.message
}

function TrustIcon({ view }: { view: ScanView }) {
  if (isSilent(view)) return <ScanIcon name="alert" />
  return view.lost ? <SameIcon id={SHIELD} /> : <ScanIcon name="shield" />
}

/** Only what really happens: where nobody has an account, nobody sees the scan either. */
function trustIn(view: ScanView, words: ScanTexts): string {
  const { is_relay, links } = view
  if (isSilent(view)) return words.noMessages
  if (!links.message) return words.trustNobody
  return is_relay ? words.trustRelay : words.trust
}

function noticeOf(
  scan: Exclude<ScanState, ScanContact>,
  words: ScanTexts,
): ComponentProps<typeof ScanNotice> {
  if (scan.state === 'owner') {
    const action = { href: '/dashboard', label: words.dashboardNow, main: true }
    return { icon: 'check', title: words.welcome, text: words.welcomeText, action }
  }
  if (scan.state === 'unregistered') {
    const action = { href: `/child-register?qr=${scan.qr_id}`, label: words.register, main: true }
    return { icon: 'qr', title: words.unregistered, text: words.unregisteredText, action }
  }
  if (scan.state === 'waiting') {
    return { icon: 'clock', title: words.waiting, text: words.waitingText }
  }
  if (scan.state === 'replaced') return replacedNotice(scan, words)
  if (scan.state === 'busy') {
    return { icon: 'clock', title: words.busy, text: `${words.busyText} ${scan.again}` }
  }
  const action = { href: '?', label: words.tryAgain, main: false }
  return { icon: 'alert', title: words.notFound, text: words.notFoundText, action }
}

/** Shown for a tag that anybody may hold: nothing about the code but the way to write. */
function replacedNotice(
  { qr_id, canMessage }: { qr_id: string; canMessage: boolean },
  words: ScanTexts,
): ComponentProps<typeof ScanNotice> {
  const message = { href: `/scan/${qr_id}/message`, words, isMain: true, isOnly: true }
  return {
    icon: 'refresh',
    title: words.replaced,
    text: canMessage ? words.replacedText : words.noMessages,
    children: canMessage && <MessageLink {...message} />,
    foot: <a href={`/scan/${qr_id}/report`}>{words.report}</a>,
  }
}
