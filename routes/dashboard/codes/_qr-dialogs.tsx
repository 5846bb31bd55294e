import type { ReactElement } from 'react'
import { resolveBrandOf } from '#actions/codes/view.ts'
import { getOwnQrCode, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { type QrPlace, readPlace } from '#domain/dashboard.ts'
import { QR_DIALOGS, type QrDialog } from '#domain/dialogs.ts'
import type { AppContext } from '#routes/_http/context.ts'
import {
  activationDialog,
  deleteDialog,
  lostDialog,
  replaceDialog,
  showDialog,
  undoClaimDialog,
} from '#routes/dashboard/codes/_code-dialogs.tsx'
import {
  brandOf,
  createDialog,
  editDialog,
  quantityDialog,
} from '#routes/dashboard/codes/_form-dialogs.tsx'
import { importDialog } from '#routes/dashboard/codes/_import-dialog.tsx'
import { labelsDialog, madeDialog } from '#routes/dashboard/codes/_label-dialogs.tsx'
import { chosenDialog } from '#routes/dashboard/codes/_selection-dialogs.tsx'
import { canTransfer, transferDialog } from '#routes/dashboard/transfers/_transfer-dialog.tsx'

type Asked = { c: AppContext; account: Account; place: QrPlace; qrId: string }

const DIALOGS: Record<QrDialog, (asked: Asked) => Promise<ReactElement | undefined>> = {
  create: async ({ c, account, place }) =>
    createDialog(c, place, { brand: await brandOf(c, account) }),
  edit: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away
      ? undefined
      : editDialog(asked.place, code, { brand: await brandOf(asked.c, asked.account) })
  },
  delete: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away ? undefined : deleteDialog(asked.place, code)
  },
  'undo-claim': async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away ? undoClaimDialog(asked, code) : undefined
  },
  lost: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away || code.lost ? undefined : lostDialog(asked, code)
  },
  replace: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away ? undefined : replaceDialog(asked, code)
  },
  activation: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed ? undefined : activationDialog(asked.place, code)
  },
  transfer: async (asked) => {
    const { c, account, place } = asked
    const code = await askedCode(asked)
    return canTransfer(account, code) ? transferDialog(c, account, { place, code }) : undefined
  },
  show: async (asked) => {
    const branding = await resolveBrandOf(asked.c.var.deps, asked.account.id)
    return showDialog(branding, await askedCode(asked))
  },
  bulk: async (asked) => quantityDialog('bulk', asked),
  child: async (asked) =>
    asked.account.child_qr_quota > 0 ? quantityDialog('child', asked) : undefined,
  made: madeDialog,
  labels: labelsDialog,
  import: async ({ place }) => importDialog(place),
  chosen: chosenDialog,
}

/** Renders the dialog that the address asks for. Throws not_found for a code that is not the account's. */
export async function askedDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const name = QR_DIALOGS.find((dialog) => c.req.query(dialog))
  if (!name) return undefined
  const qrId = c.req.query(name) ?? ''
  return DIALOGS[name]({ c, account, place: readPlace(c.req.query()), qrId })
}

function askedCode({ c, account, qrId }: Asked): Promise<OwnQrCode> {
  return getOwnQrCode(c.var.deps.db, account, requireQrId(qrId))
}
