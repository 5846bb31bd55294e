import type { ReactElement } from 'react'
import { assertGallery } from '#actions/papers/sharing.ts'
import { type Document, getUnlockedDocument } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { readPlace, tabHref } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import { documentName } from '#domain/papers/document.ts'
import {
  mailShareUrl,
  readRecipient,
  SHARE_METHODS,
  type ShareMethod,
} from '#domain/papers/share.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { shareForCaller } from '#routes/_http/papers/documents.ts'
import { type SharingTab, shareDialog } from '#routes/dashboard/papers/_share-dialogs.tsx'

type Render = (c: AppContext, account: Account, dialog: ReactElement) => Promise<Response>

/** Answers the form that shares a document. A link is in this answer alone, so it is no redirect. */
export async function answerShare(c: AppContext, tab: SharingTab, render: Render) {
  const account = requireAccount(c)
  const document = await getUnlockedDocument(c.var.deps.db, account, c.req.param('id') ?? '')
  assertGallery(account, document.account_id)
  const { form } = await readForm(c)
  const share_method = SHARE_METHODS.find((method) => method === form.share_method)
  if (!share_method) {
    throw new DomainError('invalid.share_way')
  }
  const { recipient } = form
  const place = readPlace(c.req.query())
  const at = `${tab === 'gallery' ? tab : 'document'}-${document.id}`
  return perform(c, {
    act: () => shareTyped(c, account, document, share_method, recipient ?? ''),
    done: (link) =>
      link
        ? render(c, account, shareDialog(tab, place, document, { link }))
        : redirectBack(c, tabHref(tab, place), { done: 'mailed', at }),
    refused: ({ message, kind }) => {
      const reason = kind === 'invalid' ? { problem: message } : { message }
      return render(c, account, shareDialog(tab, place, document, { ...reason, recipient }))
    },
  })
}

/** Returns the address to open; none after the server has mailed it. */
async function shareTyped(
  c: AppContext,
  account: Account,
  document: Document,
  share_method: ShareMethod,
  typed: string,
): Promise<string | undefined> {
  const { document_type, document_side } = document
  const recipient = share_method === 'email' ? readRecipient('email', typed) : null
  const byServer = share_method === 'email' && c.var.deps.outbox.isOpen
  if (byServer) {
    await shareForCaller(c, account, document, { share_method, recipient })
    return undefined
  }
  const method = share_method === 'email' ? 'download' : share_method
  const shared = await shareForCaller(c, account, document, {
    share_method: method,
    recipient: null,
  })
  if ('whatsapp_url' in shared) return shared.whatsapp_url
  const name = documentName(document_type, document_side)
  return recipient ? mailShareUrl(recipient, name, shared.download_url) : shared.download_url
}
