import {
  type Choice,
  codeHref,
  FinderChoice,
  FinderError,
  FinderField,
  FinderFormPage,
} from '#components/conversations/finder-form.tsx'
import { OtherWays } from '#components/conversations/other-ways.tsx'
import { REASON_ICONS } from '#components/conversations/reason-sign.tsx'
import { LanguageMenu } from '#components/frame/language-menu.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { EmergencyCalls } from '#components/scans/scan-emergency.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanNotice } from '#components/scans/scan-notice.tsx'
import { ScanPlate } from '#components/scans/scan-plate.tsx'
import type { Thing } from '#domain/codes/visibility.ts'
import { MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import { HONEYPOT, MESSAGE_LENGTHS, type MessageProblem } from '#domain/conversations/message.ts'
import { reasonText } from '#domain/conversations/reason-text.ts'
import { CONTENT_TYPES, PHOTO_FILES } from '#domain/papers/file-kind.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'
import { formatRefusal } from '#locales/refusal.ts'

type Words = Catalogue['message']

const FORM = 'message'
/** These types let a phone offer its camera, and make a JPEG of a photo in a format of its own. */
const PHOTO_TYPES = PHOTO_FILES.kinds.map((kind) => CONTENT_TYPES[kind]).join()

export type MessagePageProps = {
  words: Catalogue
  view: ScanView
  /** where the form goes */
  action: string
  token: string
  /** tells that the form is sent again from another one */
  form_key: string
  /** the typed fields */
  values: Partial<Record<string, string>>
  refusal?: MessageRefusal | undefined
  /** a photo came along, which no page can put back into its form */
  hadPhoto: boolean
  /** the script that makes a chosen photo smaller */
  photoScript: string
}

/** Why nothing was sent, in the finder's language. Without a field it stands above the form. */
export type MessageRefusal = {
  field: MessageProblem['field'] | 'photo' | undefined
  message: string
  /** whether to say how else the owner is reached */
  showsWays: boolean
}

export function MessagePage(props: MessagePageProps) {
  const {
    words: catalogue,
    view,
    action,
    token,
    form_key,
    values,
    refusal,
    hadPhoto,
    photoScript,
  } = props
  const { message: words, scan } = catalogue
  const above = errorOf(props, undefined)
  return (
    <FinderFormPage
      {...{ words: catalogue, qrId: view.qr_id, form: FORM }}
      icon="chat"
      title={scan.messageOwner}
      about={
        view.vehicle_registration && <ScanPlate registration={view.vehicle_registration} small />
      }
    >
      {above && (
        <div className="ways">
          <div className="sheet" role="alert">
            <FinderError id="e" text={above} />
          </div>
          {refusal?.showsWays && <OtherWays view={view} words={catalogue} canLeave />}
        </div>
      )}
      <form className="form" id={FORM} method="post" action={action} encType="multipart/form-data">
        <FinderChoice
          question={words.about}
          choices={choicesOf(catalogue, view.thing)}
          chosen={values.reason}
          error={errorOf(props, 'reason')}
        >
          <div className="hurt">
            <EmergencyCalls contact={view.links.emergency} words={scan} />
          </div>
        </FinderChoice>
        <AboutFind {...props} />
        <AboutFinder {...props} />
        <Trap value={values[HONEYPOT]} />
        <input type="hidden" name="page_token" value={token} />
        <input type="hidden" name="form_key" value={form_key} />
        {/* the last field, so that the fields before it arrive even when the photo does not */}
        <div className="sheet">
          <Photo
            words={catalogue}
            error={errorOf(props, 'photo')}
            isLost={hadPhoto}
            script={photoScript}
          />
        </div>
        <div className="last">
          <div role="status" id="said" data-sending={words.sending} data-failed={words.offline} />
          <button className="b call" type="submit">
            <ScanIcon name="send" />
            {words.send}
          </button>
          <p className="aside">{words.answerPlace}</p>
        </div>
      </form>
    </FinderFormPage>
  )
}

function errorOf({ refusal }: MessagePageProps, field: MessageRefusal['field']) {
  return refusal?.field === field ? refusal?.message : undefined
}

function fieldOf(props: MessagePageProps, name: keyof typeof MESSAGE_LENGTHS) {
  const error = errorOf(props, name)
  return { name, value: props.values[name], maxLength: MESSAGE_LENGTHS[name], error }
}

/** The text, the place and the location. */
function AboutFind(props: MessagePageProps) {
  const { message: words, page } = props.words
  const optional = (name: 'text' | 'place') => (errorOf(props, name) ? undefined : page.optional)
  return (
    <div className="sheet">
      <FinderField
        {...fieldOf(props, 'text')}
        label={words.text}
        optional={optional('text')}
        rows={3}
      />
      <FinderField {...fieldOf(props, 'place')} label={words.place} optional={optional('place')} />
      <Location values={props.values} words={words} error={errorOf(props, 'location')} />
    </div>
  )
}

function AboutFinder(props: MessagePageProps) {
  const { message: words, page } = props.words
  return (
    <section className="sheet" aria-labelledby="you">
      <h2 id="you">
        {words.aboutYou}
        <small>{` ${page.optional}`}</small>
      </h2>
      <FinderField {...fieldOf(props, 'name')} label={words.name} autoComplete="name" />
      <FinderField
        {...fieldOf(props, 'reply_to')}
        label={words.tellMe}
        hint={words.tellMeHint}
        autoComplete="email"
        inputMode="email"
      />
      <label className="ok">
        <input
          type="checkbox"
          name="show_contact"
          defaultChecked={props.values.show_contact !== undefined}
        />
        <span>
          {words.showIt}
          <small>{words.showItHint}</small>
        </span>
      </label>
    </section>
  )
}

function choicesOf(words: Catalogue, thing: Thing): Choice[] {
  return MESSAGE_REASONS.map((value) => ({
    value,
    icon: REASON_ICONS[value],
    label: reasonText(words, value, thing),
    red: value === 'accident',
  }))
}

/** The location that the script fills in. Without script there is none, so nothing is shown. */
function Location({
  values,
  words,
  error,
}: {
  values: MessagePageProps['values']
  words: Words
  error: string | undefined
}) {
  const { latitude = '', longitude = '', accuracy = '' } = values
  const isShared = latitude !== '' || longitude !== ''
  return (
    <div>
      <button className="plain" type="button" id="locate" hidden>
        <ScanIcon name="pin" />
        {words.shareLocation}
      </button>
      <div
        role="status"
        id="where"
        data-none={words.noLocation}
        data-within={format(words.within, { n: '{n}' })}
      >
        <div className="here" hidden={!isShared}>
          <span>
            <b>
              <ScanIcon name="pin" />
              {words.willBeSent}
            </b>
            <small dir="ltr">{isShared && `${latitude}, ${longitude}`}</small>
            <small>{accuracy && format(words.within, { n: accuracy })}</small>
          </span>
          <button className="plain" name="remove" value="location" formNoValidate type="submit">
            {words.remove}
          </button>
        </div>
        {error && <FinderError id="e" text={error} />}
      </div>
      <input type="hidden" name="latitude" value={latitude} />
      <input type="hidden" name="longitude" value={longitude} />
      <input type="hidden" name="accuracy" value={accuracy} />
    </div>
  )
}

type PhotoProps = {
  words: Catalogue
  error: string | undefined
  isLost: boolean
  script: string
}

function Photo(photo: PhotoProps) {
  const { error, isLost, script } = photo
  const { message: words, page } = photo.words
  const said =
    error ?? (isLost ? formatRefusal(photo.words, 'unsupported.photo_not_kept') : undefined)
  return (
    <div className="fld">
      <label htmlFor="photo">
        {words.photo}
        <small>{` ${page.optional}`}</small>
      </label>
      <input
        className="in"
        id="photo"
        name="photo"
        type="file"
        accept={PHOTO_TYPES}
        data-script={script}
        data-failed={words.tooLarge}
        // biome-ignore lint/a11y/noAutofocus: brings the refused field into view
        autoFocus={error !== undefined}
        aria-describedby={said ? 'photo-h p' : 'photo-h'}
        aria-invalid={error === undefined ? undefined : true}
      />
      <small id="photo-h">{words.photoHint}</small>
      {said && <FinderError id="p" text={said} />}
    </div>
  )
}

/** No person sees it; programs that format in every field do. */
function Trap({ value }: { value: string | undefined }) {
  return (
    <div className="vh" aria-hidden="true">
      <label>
        Website
        <input name={HONEYPOT} defaultValue={value} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}

type NoMessagesProps = {
  words: Catalogue
  /** of a code that has a page */
  qrId: string | undefined
  title: string
  text: string
  /** the typed fields, by name */
  typed: MessagePageProps['values']
}

/** Instead of the form, for a code whose messages nobody would read. */
export function NoMessages({ words, qrId, title, text, typed }: NoMessagesProps) {
  const action = qrId ? { href: codeHref(qrId), label: words.page.toCode, main: true } : undefined
  const unsent = typedIn(words.message, typed)
  return (
    <>
      {/* a page in another language would lose the typed text */}
      <FinderHeader>{unsent.length === 0 && <LanguageMenu words={words} />}</FinderHeader>
      <ScanNotice icon="chat" title={title} text={text} action={action}>
        {unsent.length > 0 && <h2>{words.conversation.notSent}</h2>}
        {unsent.map(({ name, label, value }) => (
          <div className="fld" key={name}>
            <label htmlFor={name}>{label}</label>
            <textarea className="in" id={name} name={name} readOnly rows={2} defaultValue={value} />
          </div>
        ))}
      </ScanNotice>
    </>
  )
}

/** The typed text that cannot be sent, to be copied. */
function typedIn(words: Words, typed: NoMessagesProps['typed']) {
  const { text, place, name, tellMe } = words
  return [
    { name: 'text', label: text },
    { name: 'place', label: place },
    { name: 'name', label: name },
    { name: 'reply_to', label: tellMe },
  ].flatMap((field) => {
    const value = typed[field.name]
    return value ? [{ ...field, value }] : []
  })
}
