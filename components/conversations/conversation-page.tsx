import { FinderError, FinderField, FinderTitle } from '#components/conversations/finder-form.tsx'
import { OtherWays, SafePlaces } from '#components/conversations/other-ways.tsx'
import { REASON_ICONS } from '#components/conversations/reason-sign.tsx'
import { LanguageMenu } from '#components/frame/language-menu.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { EmergencyCalls } from '#components/scans/scan-emergency.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanNotice } from '#components/scans/scan-notice.tsx'
import { ScanPlate } from '#components/scans/scan-plate.tsx'
import { Filled } from '#components/ui/filled.tsx'
import { displayPhone } from '#domain/accounts/phone.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import type { FinderConversation, MessageView } from '#domain/conversations/conversation-view.ts'
import { MESSAGE_LENGTHS, quickAnswerOf } from '#domain/conversations/message.ts'
import { reasonText } from '#domain/conversations/reason-text.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { commaIn } from '#locales/languages.ts'
import { format } from '#locales/message.ts'

type Words = Catalogue['conversation']

const FORM = 'answering'
/** Texts by people: in any language, and never translated. */
const anyLanguage = { lang: '', dir: 'auto' } as const

export type ConversationPageProps = {
  words: Catalogue
  /** the page's address without a query */
  path: string
  conversation: FinderConversation
  /** an instant as it is shown */
  timeOf: (instant: string) => string
  /** nobody has read the last message for an hour; then the page of the code, if the finder may see it */
  isLongUnread: boolean
  other?: ScanView | undefined
  /** an answer that was typed but not sent, and why, in the finder's language */
  unsent?: { text: string; refusal: string | undefined } | undefined
}

/** The messages between a finder and the user of a code, on the finder's page. */
export function ConversationPage(page: ConversationPageProps) {
  const { words: catalogue, path, conversation } = page
  const { status, thing, vehicle_registration, qr_id, has_page, is_read } = conversation
  const { conversation: words, message } = catalogue
  const isOpen = status === 'open'
  const isSent = conversation.messages.at(-1)?.from === 'finder'
  return (
    <>
      <FinderHeader>
        <LanguageMenu words={catalogue} {...(isOpen && { form: FORM })} />
      </FinderHeader>
      <main
        id="live"
        data-status={status}
        data-read={is_read}
        data-copied={words.copied}
        data-offline={message.offline}
      >
        <FinderTitle
          icon={isSent ? 'check' : 'chat'}
          title={isSent ? words.sent : message.text}
          done={isSent}
        >
          <p id="read" role="status">
            {isSent && readText(page)}
          </p>
          {vehicle_registration && (
            <ScanPlate registration={formatPlate(vehicle_registration)} small />
          )}
        </FinderTitle>
        <div id="else">{page.isLongUnread && <WhatElse page={page} />}</div>
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
            <p className="keep">
              {status === 'returned' && thing !== 'keys' ? words.returnedIt : words[status]}
            </p>
          )}
        </div>
        <div className="sheet talk">
          <div role="log" aria-label={words.log}>
            <ol>
              {conversation.messages.map((each, i) => (
                <Bubble key={each.id} message={each} page={page} isFirst={i === 0} />
              ))}
            </ol>
          </div>
          <div id="box">
            <AnswerBox page={page} />
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
        <a className="b again" href={path}>
          <ScanIcon name="refresh" />
          {words.look}
        </a>
        <section className="sheet ends">
          <p id="stop">{words.stopText}</p>
          <a className="plain red" href={`${path}?stop=1`} aria-describedby="stop">
            {words.stop}
          </a>
        </section>
        {has_page && (
          <footer className="foot">
            <a href={`/scan/${qr_id}/report`}>{catalogue.scan.report}</a>
          </footer>
        )}
      </main>
    </>
  )
}

/** Says whether the owner has read the last message, or else since when they know of it. */
function readText({ conversation, words: { conversation: words }, timeOf }: ConversationPageProps) {
  const { is_read, told_at } = conversation
  if (is_read) return words.read
  return told_at && format(words.told, { time: timeOf(told_at) })
}

/** The other ways of a finder whose message nobody has read. In an accident help comes first. */
function WhatElse({ page: { words, conversation, other } }: { page: ConversationPageProps }) {
  const { reason, thing } = conversation
  const canLeave = reason === 'found' || reason === 'other'
  return (
    <section className="sheet else">
      <h2>{words.conversation.unread}</h2>
      {reason === 'accident' && <EmergencyCalls contact={undefined} words={words.scan} />}
      {other ? (
        <OtherWays view={other} words={words} canLeave={canLeave} isAlone={reason !== 'accident'} />
      ) : (
        canLeave && <SafePlaces thing={thing} words={words} />
      )}
    </section>
  )
}

/** The form for an answer, or after the end an answer that was not sent. */
function AnswerBox({
  page: { words, path, conversation, unsent },
}: {
  page: ConversationPageProps
}) {
  if (conversation.status !== 'open') {
    return unsent && <Unsent {...unsent} words={words.conversation} />
  }
  return (
    <form id={FORM} method="post" action={path}>
      <FinderField
        name="text"
        label={words.conversation.answer}
        value={unsent?.text}
        maxLength={MESSAGE_LENGTHS.text}
        error={unsent?.refusal}
        rows={2}
      />
      <div role="status" id="said" />
    </form>
  )
}

function Unsent(unsent: { text: string; refusal: string | undefined; words: Words }) {
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
  isFirst: boolean
}

function Bubble({ message, page, isFirst }: BubbleProps) {
  const { id, from, kind, text } = message
  const { conversation: words } = page.words
  const isOwn = from === 'finder'
  const owner = page.conversation.owner_name ?? words.owner
  return (
    <li className={isOwn ? 'says me' : 'says'} id={`m-${id}`}>
      {isFirst && <Reason {...page} />}
      {kind === 'number' ? (
        <>
          <span>
            <Filled text={words.sharesNumber} slots={{ name: <bdi>{owner}</bdi> }} />
          </span>
          <a className="b" href={`tel:${text}`}>
            <ScanIcon name="phone" />
            <span dir="ltr">{displayPhone(text)}</span>
          </a>
        </>
      ) : (
        <Text from={from} words={words}>
          {text}
        </Text>
      )}
      {isFirst && <Shared page={page} />}
      <small>
        <bdi>{isOwn ? words.you : owner}</bdi>
        {`${commaIn(page.words.lang)}${page.timeOf(message.sent_at)}`}
      </small>
    </li>
  )
}

/** A quick answer of the owner is shown in the finder's language. */
function Text({ from, words, children: text }: TextProps) {
  const quick = from === 'owner' && quickAnswerOf(text)
  if (quick) return <p>{words.quick[quick]}</p>
  return text && <p {...anyLanguage}>{text}</p>
}

type TextProps = Pick<MessageView, 'from'> & { words: Words; children: string }

function Reason({ conversation, words }: Pick<ConversationPageProps, 'conversation' | 'words'>) {
  const { reason, thing } = conversation
  return (
    <b>
      <ScanIcon name={REASON_ICONS[reason]} />
      {reasonText(words, reason, thing)}
    </b>
  )
}

/** The place and the contact that the finder shared. */
function Shared({ page }: { page: ConversationPageProps }) {
  const { place, latitude, longitude, accuracy, photo_url } = page.conversation
  const { lang, message, conversation } = page.words
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
          {accuracy !== null && commaIn(lang) + format(message.within, { n: accuracy })}
        </small>
      )}
      {photo_url && <img src={photo_url} alt={conversation.photo} />}
    </>
  )
}

/** Asks once, as a page of its own, so that it works without script. */
export function StopQuestion(page: Pick<ConversationPageProps, 'words' | 'path'>) {
  const { path } = page
  const { conversation: words } = page.words
  return (
    <>
      <FinderHeader>
        <LanguageMenu words={page.words} query="stop=1&" />
      </FinderHeader>
      <main className="center">
        <div className="sheet">
          <ScanIcon name="alert" big />
          <h1>{words.stopTitle}</h1>
          <p>{words.stopQuestion}</p>
          <form method="post" action={`${path}/stop`}>
            <button className="b red" type="submit">
              {words.stop}
            </button>
          </form>
          <a className="b" href={path}>
            {words.stopNo}
          </a>
        </div>
      </main>
    </>
  )
}

/** `unsent` is an answer that was typed in vain. */
export function ConversationEnded({ words, unsent }: { words: Catalogue; unsent?: string }) {
  const { ended, endedText } = words.conversation
  return (
    <>
      {/* a page in another language would lose the typed text */}
      <FinderHeader>{!unsent && <LanguageMenu words={words} />}</FinderHeader>
      <ScanNotice icon="chat" title={ended} text={endedText}>
        {unsent && <Unsent text={unsent} refusal={undefined} words={words.conversation} />}
      </ScanNotice>
    </>
  )
}
