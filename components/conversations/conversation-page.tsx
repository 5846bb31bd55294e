import {
  DefaultButton,
  FinderError,
  FinderField,
  FinderTitle,
} from '#components/conversations/finder-form.tsx'
import { type FinderWords, finderWords } from '#components/conversations/finder-words.ts'
import { REASON_ICONS } from '#components/conversations/message-page.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanNotice } from '#components/scans/scan-notice.tsx'
import { ScanPlate } from '#components/scans/scan-plate.tsx'
import { type ScanLang, scanWords } from '#components/scans/scan-words.ts'
import { displayMobile } from '#domain/accounts/contact.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import type { FinderConversation, MessageView } from '#domain/conversations/conversation-view.ts'
import { MESSAGE_LENGTHS } from '#domain/conversations/message.ts'

const FORM = 'answering'
/** Words of people: of whatever language, and never translated. */
const anyLanguage = { lang: '', dir: 'auto' } as const

export type ConversationPageProps = {
  lang: ScanLang
  /** the page's address without a query */
  path: string
  /** its query, by which the chosen language stays */
  query: string
  conversation: FinderConversation
  /** when a message was sent, as it is shown */
  timeOf: (message: MessageView) => string
  /** an answer that was typed but not sent, and why, in the finder's language */
  unsent?: { text: string; refusal: string | undefined } | undefined
}

/** What a finder and the user of a code write to each other, as the finder sees it. */
export function ConversationPage(page: ConversationPageProps) {
  const { lang, path, query, conversation, unsent } = page
  const { status, vehicle_registration, qr_id, messages } = conversation
  const words = finderWords[lang]
  const isOpen = status === 'open'
  return (
    <>
      {isOpen && <DefaultButton form={FORM} />}
      <FinderHeader lang={lang} {...(isOpen && { form: FORM })} />
      <main id="live" data-status={status} data-copied={words.copied} data-offline={words.offline}>
        <FinderTitle icon="chat" title={words.yourMessage}>
          {vehicle_registration && (
            <ScanPlate registration={formatPlate(vehicle_registration)} small />
          )}
        </FinderTitle>
        <div id="state" role="status">
          {isOpen ? (
            <div className="keep">
              <span>{words.keep}</span>
              <button className="plain" type="button" id="copy" hidden>
                <ScanIcon name="copy" />
                <span>{words.copy}</span>
              </button>
            </div>
          ) : (
            <p className="keep">{words.status[status]}</p>
          )}
        </div>
        <div className="sheet talk">
          <div role="log" aria-label={words.conversation}>
            <ol>
              {messages.map((message, i) => (
                <Bubble key={message.id} {...{ message, page, words }} isFirst={i === 0} />
              ))}
            </ol>
          </div>
          <div id="box">
            {isOpen ? (
              <form id={FORM} method="post" action={`${path}${query}`}>
                <FinderField
                  name="text"
                  label={words.answer}
                  value={unsent?.text}
                  maxLength={MESSAGE_LENGTHS.text}
                  error={unsent?.refusal}
                  rows={2}
                />
                <div role="status" id="said" />
              </form>
            ) : (
              unsent && <Unsent {...unsent} words={words} />
            )}
          </div>
        </div>
        <div id="bar">
          {isOpen && (
            <button className="b call" form={FORM} type="submit" id="send">
              <ScanIcon name="send" />
              {words.answer}
            </button>
          )}
        </div>
        <a className="b again" href={`${path}${query}`}>
          <ScanIcon name="refresh" />
          {words.look}
        </a>
        <section className="sheet ends">
          <p id="stop">{words.stopText}</p>
          <a className="plain red" href={stopHref(page)} aria-describedby="stop">
            {words.stop}
          </a>
        </section>
        <footer className="foot">
          <a href={`/scan/${qr_id}/report${query}`}>{scanWords[lang].report}</a>
        </footer>
      </main>
    </>
  )
}

function stopHref({ path, query }: { path: string; query: string }): string {
  return `${path}${query ? `${query}&` : '?'}stop=1`
}

function Unsent(unsent: { text: string; refusal: string | undefined; words: FinderWords }) {
  const { text, refusal, words } = unsent
  return (
    <div className="fld">
      {refusal && <FinderError id="e" text={refusal} />}
      <label htmlFor="text">{words.notSent}</label>
      <textarea className="in" id="text" readOnly rows={2} defaultValue={text} />
    </div>
  )
}

type BubbleProps = {
  message: MessageView
  page: ConversationPageProps
  words: FinderWords
  isFirst: boolean
}

function Bubble({ message, page, words, isFirst }: BubbleProps) {
  const { id, from, kind, text } = message
  const isOwn = from === 'finder'
  const owner = page.conversation.owner_name ?? words.owner
  return (
    <li className={isOwn ? 'says me' : 'says'} id={`m-${id}`}>
      {isFirst && <Reason reason={page.conversation.reason} words={words} />}
      {kind === 'number' ? (
        <>
          <span>{words.sharesNumber(owner)}</span>
          <a className="b" href={`tel:${text}`}>
            <ScanIcon name="phone" />
            <span dir="ltr">{displayMobile(text)}</span>
          </a>
        </>
      ) : (
        text && <p {...anyLanguage}>{text}</p>
      )}
      {isFirst && <Shared page={page} words={words} />}
      <small>{words.at(isOwn ? words.you : owner, page.timeOf(message))}</small>
    </li>
  )
}

function Reason({ reason, words }: Pick<FinderConversation, 'reason'> & { words: FinderWords }) {
  return (
    <b>
      <ScanIcon name={REASON_ICONS[reason]} />
      {words.reasons[reason]}
    </b>
  )
}

/** What the finder shared beside the text. */
function Shared({ page, words }: { page: ConversationPageProps; words: FinderWords }) {
  const { place, latitude, longitude, accuracy, photo_url } = page.conversation
  return (
    <>
      {place && (
        <span className="at">
          <ScanIcon name="pin" />
          <span {...anyLanguage}>{place}</span>
        </span>
      )}
      {latitude !== null && longitude !== null && (
        <small>
          <span dir="ltr">{`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</span>
          {accuracy !== null && `, ${words.within.replace('{n}', String(accuracy))}`}
        </small>
      )}
      {photo_url && <img src={photo_url} alt={words.yourPhoto} />}
    </>
  )
}

/** Asks once, as a page of its own, so that it works without script. */
export function StopQuestion({
  lang,
  path,
  query,
}: Pick<ConversationPageProps, 'lang' | 'path' | 'query'>) {
  const words = finderWords[lang]
  return (
    <>
      <FinderHeader lang={lang} query="stop=1&" />
      <main className="center">
        <div className="sheet">
          <ScanIcon name="alert" big />
          <h1>{words.stopTitle}</h1>
          <p>{words.stopQuestion}</p>
          <form method="post" action={`${path}/stop${query}`}>
            <button className="b red" type="submit">
              {words.stop}
            </button>
          </form>
          <a className="b" href={`${path}${query}`}>
            {words.stopNo}
          </a>
        </div>
      </main>
    </>
  )
}

export function ConversationEnded({ lang }: { lang: ScanLang }) {
  const { endedTitle, endedText } = finderWords[lang]
  return (
    <>
      <FinderHeader lang={lang} />
      <ScanNotice icon="chat" title={endedTitle} text={endedText} />
    </>
  )
}
