import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import { DownloadLinks } from '#components/codes/qr-card-tools.tsx'
import { QrFrameLink } from '#components/codes/qr-frame.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Lane } from '#components/tags/lane.tsx'
import type { ContactMode } from '#domain/codes/visibility.ts'
import { dialogHref, FIRST_PLACE, placeHref, tabHref } from '#domain/dashboard.ts'

/** A code on the page after it was made. */
export type MadeView = {
  qr_id: string
  qr_id_text: string
  /** a data: URL */
  image: string
  scan_url: string
  owner_name: string
  vehicle_registration: string | null
  contact_mode: ContactMode
  canShare: boolean
  isPrinted: boolean
  isScanned: boolean
  /** how long ago the last scan was, if that is known */
  scanned: string | undefined
  hasPapers: boolean
}

type MadePageProps = {
  view: MadeView
  /** the offer of alerts on this device, if there is one to make */
  push: ReactNode
  alerts: ReactNode
}

/** The next steps with a new code, and offers for it. Each goes when it is done. */
export function MadePage({ view, push, alerts }: MadePageProps) {
  const { qr_id, qr_id_text, image, vehicle_registration } = view
  const steps = [
    { title: 'Make your code', isDone: true, content: <Made view={view} /> },
    { title: 'Print it', isDone: view.isPrinted, content: <Print view={view} /> },
    {
      title: 'Try it: scan with your phone',
      isDone: view.isScanned,
      content: <Try view={view} />,
    },
  ]
  return (
    <div className="start" data-live data-awaited={awaitedSteps(view)}>
      <section className="sheet made">
        <div className="made-sign">
          <h1 tabIndex={-1}>Your code is ready</h1>
          <QrFrameLink
            src={image}
            caption={qr_id_text}
            href={dialogHref('show', FIRST_PLACE, qr_id)}
          />
          {vehicle_registration && <Plate registration={vehicle_registration} />}
        </div>
        <Lane steps={steps} level="h2" />
      </section>
      {(push || !view.hasPapers) && (
        <section className="sheet offers" aria-labelledby="good">
          <h2 className="text-lg" id="good">
            Good to have
          </h2>
          <ul className="rows">
            {push && <li id="offer-push">{push}</li>}
            {!view.hasPapers && <PapersOffer qr_id={qr_id} />}
          </ul>
        </section>
      )}
      {alerts}
      <p className="quiet-line">
        <a href={placeHref(FIRST_PLACE)}>
          <Icon name="qr" />
          My QR Codes
        </a>
      </p>
    </div>
  )
}

/** Returns the query of the events for which the page waits, if it waits for any. */
function awaitedSteps({ qr_id, isPrinted, isScanned }: MadeView): string {
  const done = Number(isPrinted) + Number(isScanned)
  return done < 2 ? `code=${qr_id}&done=${done}` : ''
}

type Step = { view: MadeView }

function Made({ view: { owner_name, contact_mode } }: Step) {
  const reach = contact_mode === 'relay' ? 'Finders write to you' : 'Finders can call you'
  return <p className="small">{`${owner_name} · ${reach}`}</p>
}

/** Pixels per module of the images to print. */
const IMAGE_SIZE = 15

function Print({ view }: Step) {
  const { qr_id, isPrinted } = view
  return (
    <>
      {!isPrinted && (
        <p>
          A4 sheet with key tags and stickers. No printer? Save the picture and take it to a copy
          shop.
        </p>
      )}
      <a
        className={isPrinted ? 'btn btn-sm' : 'btn btn-main'}
        href={dialogHref('labels', FIRST_PLACE, qr_id)}
        data-dialog="labels"
      >
        <Icon name="print" />
        Print label sheet
      </a>
      <div className="pair">
        <DownloadLinks qrId={qr_id} size={IMAGE_SIZE} className="btn btn-sm" />
        <ShareButton view={view} />
      </div>
    </>
  )
}

/** Sharing is part of the paid plans; anybody may copy the link. */
function ShareButton({ view: { qr_id, scan_url, canShare } }: Step) {
  return (
    <button
      className="btn btn-sm needs-script"
      type="button"
      data-action={canShare ? 'share' : 'copy-link'}
      data-qr={qr_id}
      data-url={scan_url}
    >
      {canShare ? 'Share' : 'Copy Link'}
    </button>
  )
}

function Try({ view: { qr_id, isScanned, scanned } }: Step) {
  return (
    <>
      {!isScanned && <p>Point the camera at the code, on this screen or on paper.</p>}
      <p className="live" id="first-scan" role="status">
        {isScanned
          ? `It works.${scanned ? ` Scanned ${scanned}` : ''}`
          : 'Waiting for the first scan'}
      </p>
      <a className="btn btn-sm" href={`/scan/${qr_id}?preview=1`} target="_blank" rel="noopener">
        <Icon name="eye" />
        See it on this phone
      </a>
    </>
  )
}

function PapersOffer({ qr_id }: { qr_id: string }) {
  return (
    <li id="offer-papers">
      <span className="avatar">
        <Icon name="doc" />
      </span>
      <div className="grow">
        <b>Add your papers</b>
        <br />
        <span className="small soft">
          RC, insurance, PUC. Private until you show them; we remind you before they end.
        </span>
      </div>
      <span className="acts">
        <a
          className="btn btn-sm"
          href={tabHref('documents', FIRST_PLACE, { upload: qr_id })}
          data-dialog="upload"
        >
          Upload Document
        </a>
      </span>
    </li>
  )
}
