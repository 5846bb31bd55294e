import type { ReactElement } from 'react'
import { headingOf } from '#components/papers/code-heading.tsx'
import { typeIcon } from '#components/papers/document-entry.tsx'
import { DocumentPublish } from '#components/papers/document-publish.tsx'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import { type Document, getUnlockedDocument, listDocuments } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { readPlace, tabAction } from '#domain/dashboard.ts'
import { documentName, inTypeOrder, publicWarning } from '#domain/papers/document.ts'
import { handlesPapersOf } from '#domain/people/share.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Asks before all documents of a code become public. There is no question when all are. Throws not_found. */
export async function publishDialog(
  c: AppContext,
  account: Account,
  qrId: string,
): Promise<ReactElement | undefined> {
  const { db } = c.var.deps
  const code = await getOwnQrCode(db, account, qrId)
  const documents = inTypeOrder(await listDocuments(db, account, qrId))
  const own = documents.filter(
    (each) => handlesPapersOf(account, each.account_id) && !each.is_locked,
  )
  const papers = own.filter(({ is_public }) => !is_public).map(toPaper)
  if (papers.length === 0) return undefined
  const props = {
    title:
      own.length === 1
        ? ('Show this document?' as const)
        : (`Show all ${own.length} documents?` as const),
    submit: own.length === 1 ? 'Make it public' : `Make all ${own.length} public`,
    code: headingOf(code),
    papers,
    open: own.filter(({ is_public }) => is_public).map((each) => toPaper(each).name),
    hint: 'You can undo this right afterwards: each document is then as it was.',
    action: tabAction('documents', `/codes/${qrId}/visibility`, readPlace(c.req.query())),
  }
  return <DocumentPublish {...props} />
}

/** Asks before a document with personal data on it becomes public. Other types need no question. Throws not_found. */
export async function warningDialog(
  c: AppContext,
  account: Account,
  id: string,
): Promise<ReactElement | undefined> {
  const document = await getUnlockedDocument(c.var.deps.db, account, id)
  const paper = toPaper(document)
  if (document.is_public || !paper.warning) return undefined
  const action = tabAction('documents', `/${id}/visibility`, readPlace(c.req.query()))
  const title = 'Make this document public?'
  return <DocumentPublish title={title} submit="Make it public" papers={[paper]} action={action} />
}

function toPaper({ id, document_type, document_side }: Document) {
  const name = documentName(document_type, document_side)
  return { id, name, icon: typeIcon(document_type), warning: publicWarning(document_type) }
}
