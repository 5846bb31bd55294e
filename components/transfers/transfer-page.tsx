import {
  ABOUT_HOLDER,
  CityField,
  EmergencyFields,
  type HolderValues,
  holderControl,
  holderPhone,
} from '#components/codes/holder-fields.tsx'
import { Plate } from '#components/codes/plate.tsx'
import { TextField } from '#components/forms/field.tsx'
import { PhoneField } from '#components/forms/phone-field.tsx'
import { type Problem, placeBy } from '#components/forms/place-problem.ts'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'
import { Filled } from '#components/ui/filled.tsx'
import { Note } from '#components/ui/note.tsx'
import { Refusal, Said } from '#components/ui/outcome.tsx'
import { upgradeHref } from '#domain/dashboard.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'

/** A transfer as its recipient sees it. */
export type ShownTransfer = {
  /** until when it is valid, as it is shown */
  until: string
  /** the first name of the owner */
  from_name: string
  qr_id_text: string
  vehicle_registration: string | null
  vehicle_make_model: string | null
  document_count: number
  scan_count: number
  /** whether this code counts against the recipient's plan already */
  is_counted: boolean
  /** how many codes count against the recipient's plan */
  qr_count: number
  /** null: no limit */
  qr_limit: number | null
}

type TransferPageProps = {
  words: Catalogue
  transfer: ShownTransfer
  action: string
  values: HolderValues
  problem?: Problem | undefined
}

const FORM = 'transfer'

/** The page on which the recipient of a code accepts or declines it. */
export function TransferPage(props: TransferPageProps) {
  const { words, transfer } = props
  return (
    <main className="narrow-page" data-told="">
      <NarrowHead words={words} form={FORM} />
      <Offer words={words} transfer={transfer} />
      <Decision {...props} />
    </main>
  )
}

type OfferProps = Pick<TransferPageProps, 'words' | 'transfer'>

function Offer({ words, transfer }: OfferProps) {
  const { until, from_name, vehicle_registration: plate } = transfer
  const says = words.transfer
  return (
    <section className="sheet stack">
      <p className="step row gap-2 nowrap">
        <Icon name="swap" />
        <span>{format(says.until, { time: until })}</span>
      </p>
      <h1>
        <Filled
          text={plate ? says.vehicleFrom : says.codeFrom}
          slots={{ name: <bdi>{from_name}</bdi> }}
        />
      </h1>
      {plate && (
        <div className="row">
          <Plate registration={plate} size="large" />
        </div>
      )}
      <Facts facts={factsOf({ words, transfer })} />
    </section>
  )
}

function factsOf({ words, transfer }: OfferProps): Fact[] {
  const says = words.transfer
  const { vehicle_make_model, qr_id_text, document_count, scan_count } = transfer
  const comes = [
    ...(document_count > 0 ? [format(says.documents, { n: document_count })] : []),
    ...(scan_count > 0 ? [format(says.scans, { n: scan_count })] : []),
  ]
  const list = new Intl.ListFormat(words.lang, { type: 'unit' })
  const facts = [
    { label: says.vehicle, value: vehicle_make_model },
    { label: says.code, value: <code dir="ltr">{qr_id_text}</code> },
    { label: says.comesWith, value: list.format(comes) },
    { label: says.countsAs, value: countOf({ words, transfer }) },
  ]
  return facts.filter(({ value }) => value)
}

/** Checks whether the recipient's plan allows no more codes. */
function isFull({ is_counted, qr_count, qr_limit }: ShownTransfer): boolean {
  return !is_counted && qr_limit !== null && qr_count >= qr_limit
}

function countOf({ words, transfer }: OfferProps): string | undefined {
  const { is_counted, qr_count, qr_limit } = transfer
  const { ofLimit, noLimit } = words.transfer
  if (is_counted || isFull(transfer)) return undefined
  return qr_limit === null ? noLimit : format(ofLimit, { n: qr_count + 1, limit: qr_limit })
}

/** Why there is no room for the code, and the way to more. */
function NoRoom({ words, transfer: { qr_count, qr_limit } }: OfferProps) {
  const { noRoom, upgrade } = words.transfer
  return (
    <>
      <Note tone="warn">{format(noRoom, { limit: qr_limit ?? 0, count: qr_count })}</Note>
      <a className="btn btn-block" href={upgradeHref('limit')}>
        {upgrade}
      </a>
    </>
  )
}

function Decision({ words, transfer, action, values, problem }: TransferPageProps) {
  const says = words.transfer
  const { at: problems, elsewhere } = placeBy(ABOUT_HOLDER, problem)
  const state = { values, problems, refused: problem?.subject, words }
  return (
    <form id={FORM} className="sheet stack" method="post" action={action} noValidate>
      <h2>{says.details}</h2>
      <p className="soft">{says.detailsHint}</p>
      <Said />
      {isFull(transfer) ? (
        <NoRoom words={words} transfer={transfer} />
      ) : (
        <Refusal>{elsewhere}</Refusal>
      )}
      <TextField {...holderControl('owner_name', state)} autoComplete="name" />
      <PhoneField {...holderPhone('contact_phone', state)} autoComplete="tel" />
      <TextField
        {...holderControl('email', state)}
        type="email"
        autoComplete="email"
        optional={words.page.optional}
      />
      <CityField state={state} />
      <EmergencyFields state={state} />
      <button className="btn btn-main btn-block" type="submit">
        <Icon name="check" />
        {says.accept}
      </button>
      <details className="fold">
        <summary>{says.decline}</summary>
        <div className="stack">
          <p>{says.declineText}</p>
          <button className="btn btn-stop btn-block" type="submit" formAction={`${action}/decline`}>
            {says.decline}
          </button>
        </div>
      </details>
    </form>
  )
}

/** Shown before the login to a person with the link of a transfer. */
export function TransferLogin({ words, canRegister }: { words: Catalogue; canRegister: boolean }) {
  const { transfer, take, page } = words
  return (
    <main className="narrow-page">
      <NarrowHead words={words} />
      <div className="sheet stack">
        <h1>{transfer.title}</h1>
        <p>{transfer.signIn}</p>
        <a className="btn btn-main btn-block" href="/login">
          {page.login}
        </a>
        {canRegister && (
          <a className="btn btn-block" href="/login?mode=register">
            {take.create}
          </a>
        )}
      </div>
    </main>
  )
}
