import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'
import type { Catalogue } from '#locales/catalogue.ts'

export type PoliceDocument = {
  id: string
  label: string
  side: string | undefined
  file_name: string
  href: string
  /** until when it is valid, or when it ended, as it is shown */
  end: { text: string; isOver: boolean } | undefined
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

type Frame = { words: Catalogue; backHref: string | undefined }

/** The page for authorities: the owner of the vehicle, and the papers that the owner shows them. */
export function PolicePage({ view, ...frame }: Frame & { view: PolicePageView }) {
  const { words } = frame
  return (
    <PoliceFrame {...frame}>
      <OwnerSheet view={view} words={words} />
      {view.documents.length > 0 ? (
        <DocumentList documents={view.documents} words={words.police} />
      ) : (
        <Empty icon="doc" title={words.police.none}>
          <p>{words.police.notPublic}</p>
        </Empty>
      )}
    </PoliceFrame>
  )
}

export function PoliceRestricted({ message, ...frame }: Frame & { message: string }) {
  const { police } = frame.words
  return (
    <PoliceFrame {...frame}>
      <div role="alert">
        <Empty icon="lock" title={police.restricted} heading="h1" stop>
          <p>{message}</p>
          <p>{police.notPublic}</p>
        </Empty>
      </div>
    </PoliceFrame>
  )
}

function PoliceFrame({ words, backHref, children }: Frame & { children: ReactNode }) {
  return (
    <main className="narrow-page">
      <NarrowHead words={words} />
      {children}
      {backHref && (
        <a className="btn" href={backHref}>
          <Icon name="back" />
          {words.police.goBack}
        </a>
      )}
    </main>
  )
}

function OwnerSheet({ view, words }: { view: PolicePageView; words: Catalogue }) {
  const { police, scan } = words
  const { owner_name, phone, messageHref, isSilent, vehicle_registration } = view
  const unreachable = isSilent ? police.notNow : police.missing
  const instead = messageHref ? police.byMessage : unreachable
  const facts: Fact[] = [
    { label: police.owner, value: <b>{owner_name ? <bdi>{owner_name}</bdi> : police.missing}</b> },
    { label: police.contact, value: phone?.display ?? instead, ltr: phone !== undefined },
  ]
  return (
    <section className="sheet stack gap-3" aria-label={police.owner}>
      <p className="step row gap-2">
        <Icon name="shield" />
        {police.view}
      </p>
      <h1>{police.title}</h1>
      {vehicle_registration && (
        <div className="row">
          <Plate registration={vehicle_registration} size="large" />
        </div>
      )}
      <Facts facts={facts} size="medium" />
      {phone?.href && (
        <a className="btn btn-main btn-block" href={phone.href}>
          <Icon name="phone" />
          {scan.call}
        </a>
      )}
      {messageHref && (
        <a className="btn btn-main btn-block" href={messageHref}>
          <Icon name="chat" />
          {scan.messageOwner}
        </a>
      )}
    </section>
  )
}

type Listed = { documents: PoliceDocument[]; words: Catalogue['police'] }

function DocumentList({ documents, words }: Listed) {
  return (
    <>
      <ul className="stack gap-3" aria-label={words.documents}>
        {documents.map(({ id, label, side, file_name, href, end }) => (
          <li key={id}>
            <a className="card card-link" href={href}>
              <span className="avatar">
                <Icon name="doc" />
              </span>
              <span className="stack gap-0">
                <b>{label}</b>
                <span className="small soft">
                  {side && `${side} · `}
                  <bdi>{file_name}</bdi>
                </span>
                {end && (
                  <span>
                    <Badge tone={end.isOver ? 'stop' : 'go'} dot="full" long>
                      {end.text}
                    </Badge>
                  </span>
                )}
              </span>
              <span className="push row gap-2 one-line">
                <b>{words.open}</b>
                <Icon name="next" />
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p>{words.copies}</p>
      <p className="small">{words.onlyPublic}</p>
    </>
  )
}
