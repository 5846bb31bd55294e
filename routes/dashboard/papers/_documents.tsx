import type { ReactElement } from 'react'
import { BlankQrCodes, NoQrCodes, NoQrCodesFound } from '#components/codes/dashboard-empty.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import {
  type ChangedCode,
  CodeDocuments,
  type CodeDocumentsView,
  UndoVisibility,
} from '#components/papers/code-documents.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { listQrCodesByContents } from '#db/codes/code-contents.ts'
import { countSeenCodes } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { DUE_HREF, type QrPlace, readPlace, tabHref } from '#domain/dashboard.ts'
import { visibilityText } from '#domain/papers/document.ts'
import { type Holder, sharesFor } from '#domain/people/share.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { readCodeDocuments } from '#routes/dashboard/papers/_code-documents.ts'
import { requestedDocumentDialog } from '#routes/dashboard/papers/_document-dialogs.tsx'
import { renderPapersByEnd } from '#routes/dashboard/papers/_papers-by-end.tsx'

const TITLE = 'Documents'
const SEARCH = 'Search QR codes and documents'
const CODES_A_PAGE = 12

/** The dialog or the change that a form leads to. */
type Answer = { dialog?: ReactElement | undefined; changed?: ChangedCode }

/** Renders the documents of an account, code by code, with the answer to a form. */
export async function renderDocuments(c: AppContext, account: Account, answer: Answer = {}) {
  const { changed } = answer
  const dialog = answer.dialog ?? (await requestedDocumentDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  const outcome = changed && {
    outcome: <Changed change={changed} place={readPlace(c.req.query())} />,
  }
  return renderDashboard(c, account, { title: TITLE, tab: 'documents', dialog, ...outcome }, panel)
}

function Changed({ change, place }: { change: ChangedCode; place: QrPlace }) {
  const text = visibilityText(change.is_public, true)
  const undo = <UndoVisibility change={change} place={place} />
  return <Outcome text={text} at={`undo-${change.qr_id}`} act={undo} />
}

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement> {
  const place = readPlace(c.req.query())
  return place.sort === 'due' ? renderByEnd(c, account, place) : renderByCode(c, account, place)
}

async function renderByEnd(c: AppContext, account: Account, place: QrPlace): Promise<ReactElement> {
  return (
    <>
      <div className="stack gap-3">
        <Head place={place} mayUpload={await mayUpload(c, account)} />
        <Orders current="due" />
      </div>
      {await renderPapersByEnd(c, account, place)}
    </>
  )
}

async function renderByCode(
  c: AppContext,
  account: Account,
  place: QrPlace,
): Promise<ReactElement> {
  const { q, page } = place
  const href = (to: number) => tabHref('documents', { ...place, page: to })
  const wanted = { search: q, ...rowsOfPage(page, CODES_A_PAGE) }
  const { db } = c.var.deps
  const { qr_codes, total, blank } = await listQrCodesByContents(db, account, 'documents', wanted)
  const views = await readCodeDocuments(c, account, qr_codes, q)
  const codes = views.map((view) => <CodeDocuments key={view.qr_id} view={view} place={place} />)
  const pages = countPages({ total, size: CODES_A_PAGE, page }, href)
  return (
    <>
      <div className="stack gap-3">
        <Head place={place} mayUpload={total + blank > 0 && (await mayUpload(c, account))} />
        {(q || total + blank > 1) && (
          <SearchForm
            search={q}
            label={SEARCH}
            placeholder={SEARCH}
            fields={{ tab: 'documents' }}
          />
        )}
        {!q && views.some(hasEnd) && <Orders current="code" />}
      </div>
      {total + blank > 0 ? codes : <NoCodes search={q} />}
      <BlankQrCodes count={blank} />
      <ListPager page={page} pages={pages} href={href} />
    </>
  )
}

function hasEnd({ dues, documents }: CodeDocumentsView): boolean {
  return dues.length > 0 || documents.some(({ end }) => end)
}

/** The papers code by code, or in the order of their ends. */
function Orders({ current }: { current: 'code' | 'due' }) {
  const orders = [
    { id: 'code', label: 'By QR code', href: tabHref('documents') },
    { id: 'due', label: 'By end', href: DUE_HREF },
  ]
  return <LayoutLinks label="Order" layouts={orders} current={current} />
}

/** Returns whether an account that sees codes may upload to one of them, and not only looks at those of others. */
async function mayUpload(c: AppContext, account: Account & Holder): Promise<boolean> {
  const { shares, ...alone } = account
  if (!shares?.length || sharesFor(account, 'papers').length > 0) return true
  return (await countSeenCodes(c.var.deps.db, alone)) > 0
}

function Head({ place, mayUpload }: { place: QrPlace; mayUpload: boolean }) {
  return (
    <div className="head">
      <h1 tabIndex={-1}>{TITLE}</h1>
      {mayUpload && (
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

function NoCodes({ search }: { search: string }) {
  if (!search) return <NoQrCodes />
  const tries = 'a document, a number plate or a QR ID'
  return <NoQrCodesFound search={search} tries={tries} href={tabHref('documents')} />
}
