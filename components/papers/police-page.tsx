import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'

export type PoliceDocument = {
  id: string
  label: string
  /** side and file name */
  detail: string
  href: string
}

export type PolicePageView = {
  owner_name: string | null
  vehicle_registration: string | null
  phone?: { display: string; href: string | undefined } | undefined
  /** where finders write first */
  messageHref?: string | undefined
  /** finders write first, and nobody can answer now */
  isSilent: boolean
  documents: PoliceDocument[]
}

type Back = { backHref: string }

const NOT_MADE_PUBLIC = 'The owner may not have made documents public for authorities.'

/** What authorities see: whose vehicle it is, and the papers that its owner shows them. */
export function PolicePage({ view, backHref }: Back & { view: PolicePageView }) {
  return (
    <PoliceFrame>
      <OwnerSheet view={view} />
      {view.documents.length > 0 ? (
        <DocumentList documents={view.documents} />
      ) : (
        <Empty icon="doc" title="No public documents">
          <p>{NOT_MADE_PUBLIC}</p>
        </Empty>
      )}
      <GoBack backHref={backHref} />
    </PoliceFrame>
  )
}

export function PoliceRestricted({ message, backHref }: Back & { message: string }) {
  return (
    <PoliceFrame>
      <div role="alert">
        <Empty icon="lock" title="Access Restricted" heading="h1" stop>
          <p>{message}</p>
          <p>{NOT_MADE_PUBLIC}</p>
        </Empty>
      </div>
      <GoBack backHref={backHref} />
    </PoliceFrame>
  )
}

function PoliceFrame({ children }: { children: ReactNode }) {
  return (
    <main className="narrow-page">
      <Logo href="/" />
      {children}
    </main>
  )
}

function OwnerSheet({ view }: { view: PolicePageView }) {
  const { owner_name, phone, messageHref, isSilent, vehicle_registration } = view
  const byMessage = messageHref ? 'by message' : isSilent ? 'not possible now' : 'N/A'
  const contact = phone?.display ?? byMessage
  const facts: Fact[] = [
    { label: 'Owner', value: <b>{owner_name ?? 'N/A'}</b> },
    { label: 'Contact', value: contact, ltr: true },
  ]
  return (
    <section className="sheet stack gap-3" aria-label="Owner">
      <p className="step row gap-2">
        <Icon name="shield" />
        Authority view
      </p>
      <h1>Vehicle documents</h1>
      {vehicle_registration && (
        <div className="row">
          <Plate registration={vehicle_registration} size="large" />
        </div>
      )}
      <Facts facts={facts} size="medium" />
      {phone?.href && (
        <a className="btn btn-main btn-block" href={phone.href}>
          <Icon name="phone" />
          Call owner
        </a>
      )}
      {messageHref && (
        <a className="btn btn-main btn-block" href={messageHref}>
          <Icon name="chat" />
          Message owner
        </a>
      )}
    </section>
  )
}

function DocumentList({ documents }: { documents: PoliceDocument[] }) {
  return (
    <>
      <ul className="stack gap-3" aria-label="Public documents">
        {documents.map(({ id, label, detail, href }) => (
          <li key={id}>
            <a className="card card-link" href={href}>
              <span className="avatar">
                <Icon name="doc" />
              </span>
              <span className="stack gap-0">
                <b className="text-lg">{label}</b>
                <span className="small soft">{detail}</span>
              </span>
              <span className="push row gap-2 one-line">
                <b>View</b>
                <Icon name="next" />
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p>
        These are the owner’s copies. What DigiLocker or mParivahan shows has the force of the
        original.
      </p>
      <p className="small">Only documents that the owner made public are listed.</p>
    </>
  )
}

function GoBack({ backHref }: Back) {
  return (
    <a className="btn" href={backHref}>
      <Icon name="back" />
      Go Back
    </a>
  )
}
