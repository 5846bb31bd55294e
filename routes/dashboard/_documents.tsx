import type { ReactElement } from 'react'
import { BlankQrCodes, NoQrCodes, NoQrCodesFound } from '#components/codes/dashboard-empty.tsx'
import { SearchForm } from '#components/codes/qr-toolbar.tsx'
import { CodeDocuments } from '#components/papers/code-documents.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { listQrCodesByContents, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { type QrPlace, readPlace, tabHref } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { readCodeDocuments } from '#routes/dashboard/_code-documents.ts'
import { askedDocumentDialog } from '#routes/dashboard/_document-dialogs.tsx'
import { doneText } from '#routes/dashboard/_done.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'

const TITLE = 'Documents'
const CODES_A_PAGE = 12

/** A form that could not be taken, with the dialog it came from. */
export type Refused = { dialog: ReactElement | undefined; code: DomainError['code'] }

/** The papers of an account, code by code. */
export async function renderDocuments(c: AppContext, account: Account, refused?: Refused) {
  const dialog = refused?.dialog ?? (await askedDocumentDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  if (panel instanceof Response) return panel
  const status = refused && STATUS[refused.code]
  return renderDashboard(c, account, { title: TITLE, tab: 'documents', status, dialog }, panel)
}

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement | Response> {
  const place = readPlace(c.req.query())
  const wanted = {
    search: place.q || null,
    limit: CODES_A_PAGE,
    offset: (place.page - 1) * CODES_A_PAGE,
  }
  const { db } = c.var.deps
  const { qr_codes, total, blank } = await listQrCodesByContents(db, account, 'documents', wanted)
  const pages = Math.max(1, Math.ceil(total / CODES_A_PAGE))
  if (place.page > pages) return c.redirect(tabHref('documents', { ...place, page: pages }))
  return (
    <>
      <Head place={place} hasCodes={total + blank > 0} />
      <Outcome text={doneText(c.req.query())} at={c.req.query('at')} />
      <SearchForm search={place.q} label="Search QR codes" fields={{ tab: 'documents' }} />
      {total + blank > 0 ? (
        await renderCodes(c, account, place, qr_codes)
      ) : (
        <NoCodes search={place.q} />
      )}
      <BlankQrCodes count={blank} />
      <DocumentsPager place={place} pages={pages} />
    </>
  )
}

function Head({ place, hasCodes }: { place: QrPlace; hasCodes: boolean }) {
  return (
    <div className="head">
      <h1 tabIndex={-1}>{TITLE}</h1>
      {hasCodes && (
        <a
          className="btn btn-main"
          href={tabHref('documents', place, { upload: '1' })}
          data-dialog="upload"
        >
          <Icon name="upload" />
          Upload Document
        </a>
      )}
    </div>
  )
}

async function renderCodes(c: AppContext, account: Account, place: QrPlace, codes: OwnQrCode[]) {
  const views = await Promise.all(codes.map((code) => readCodeDocuments(c, account, code)))
  return views.map((view) => <CodeDocuments key={view.qr_id} view={view} place={place} />)
}

function NoCodes({ search }: { search: string }) {
  if (!search) return <NoQrCodes elsewhere />
  return <NoQrCodesFound search={search} href={tabHref('documents')} />
}

function DocumentsPager({ place, pages }: { place: QrPlace; pages: number }) {
  if (pages === 1) return null
  const href = (page: number) =>
    page >= 1 && page <= pages ? tabHref('documents', { ...place, page }) : undefined
  const { page } = place
  return <Pager page={page} pages={pages} previous={href(page - 1)} next={href(page + 1)} />
}
