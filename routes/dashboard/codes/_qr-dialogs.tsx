import type { ReactElement } from 'react'
import { resolveBrandOf } from '#actions/codes/view.ts'
import { getOwnQrCode, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { readPlace } from '#domain/dashboard.ts'
import { QR_DIALOGS, type QrDialog } from '#domain/dialogs.ts'
import { accessWith, type Right } from '#domain/people/roles.ts'
import { actsFor } from '#domain/people/share.ts'
import type { AppContext } from '#routes/_http/context.ts'
import {
  activationDialog,
  type DialogRequest,
  deleteDialog,
  foundDialog,
  lostDialog,
  replaceDialog,
  showDialog,
  undoClaimDialog,
} from '#routes/dashboard/codes/_code-dialogs.tsx'
import {
  createDialog,
  editDialog,
  makesChildCodes,
  quantityDialog,
} from '#routes/dashboard/codes/_form-dialogs.tsx'
import { importDialog } from '#routes/dashboard/codes/_import-dialog.tsx'
import { labelsDialog, madeDialog } from '#routes/dashboard/codes/_label-dialogs.tsx'
import { chosenDialog } from '#routes/dashboard/codes/_selection-dialogs.tsx'
import { canTransfer, transferDialog } from '#routes/dashboard/transfers/_transfer-dialog.tsx'

const DIALOGS: Record<QrDialog, (request: DialogRequest) => Promise<ReactElement | undefined>> = {
  create: (request) => createDialog(request),
  edit: async (request) => {
    const code = await requestedCode(request, 'edit')
    return code.is_claimed_away ? undefined : editDialog(request, code)
  },
  delete: async (request) => {
    const code = await requestedCode(request, 'own')
    return code.is_claimed_away ? undefined : deleteDialog(request.place, code)
  },
  'undo-claim': async (request) => {
    const code = await requestedCode(request, 'papers')
    return code.is_claimed_away ? undoClaimDialog(request, code) : undefined
  },
  lost: async (request) => {
    const code = await requestedCode(request, 'answer')
    if (code.is_claimed_away) return undefined
    return code.lost ? foundDialog(request, code) : lostDialog(request, code)
  },
  replace: async (request) => {
    const code = await requestedCode(request, 'tend')
    return code.is_claimed_away ? undefined : replaceDialog(request, code)
  },
  activation: async (request) => {
    const code = await requestedCode(request, 'own')
    return code.is_claimed ? undefined : activationDialog(request.place, code)
  },
  transfer: async (request) => {
    const { c, account, place } = request
    const code = await requestedCode(request, 'own')
    return canTransfer(account, code) ? transferDialog(c, account, { place, code }) : undefined
  },
  show: async (request) => {
    const { c, account } = request
    const code = await requestedCode(request, 'look')
    return showDialog(await resolveBrandOf(c.var.deps, actsFor(account, code)), code)
  },
  bulk: async (request) => quantityDialog('bulk', request),
  child: async (request) =>
    makesChildCodes(request.account) ? quantityDialog('child', request) : undefined,
  made: madeDialog,
  labels: labelsDialog,
  import: async ({ account, place }) => importDialog(account, place),
  chosen: chosenDialog,
}

/**
 * Renders the dialog that the address asks for. Throws not_found for a code that is not the account's, and forbidden
 * where its role lacks the right.
 */
export async function requestedDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const name = QR_DIALOGS.find((dialog) => c.req.query(dialog))
  if (!name) return undefined
  const qrId = c.req.query(name) ?? ''
  return DIALOGS[name]({ c, account, place: readPlace(c.req.query()), qrId })
}

async function requestedCode(
  { c, account, qrId }: DialogRequest,
  right: Right,
): Promise<OwnQrCode> {
  const code = await getOwnQrCode(c.var.deps.db, account, requireQrId(qrId))
  accessWith(code.access, right)
  return code
}
