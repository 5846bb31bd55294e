import type { ReactElement } from 'react'
import { toSelection } from '#actions/codes/selection.ts'
import { NothingChosen, QrBulk, type QrBulkView } from '#components/fleets/bulk-dialog.tsx'
import { sortByAct } from '#db/fleets/bulk.ts'
import type { Account } from '#db/schema.ts'
import { readChoice } from '#domain/codes/qr-choice.ts'
import { formAction, type QrPlace, readPlace } from '#domain/dashboard.ts'
import { BULK_ACTIONS, type BulkAction } from '#domain/fleets/bulk.ts'
import { sendZip } from '#routes/_http/codes/files.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { DialogRequest } from '#routes/dashboard/codes/_code-dialogs.tsx'
import { labelsDialog } from '#routes/dashboard/codes/_label-dialogs.tsx'
import { readTicks } from '#routes/dashboard/codes/_selection.tsx'

/** Renders the dialog of the act in the address, for the selected codes. */
export async function chosenDialog(request: DialogRequest): Promise<ReactElement | undefined> {
  const { c, account, place, qrId: act } = request
  const named = nameTicked(c)
  if (!named) return <NothingChosen />
  if (act === 'labels') return labelsDialog({ ...request, qrId: named })
  const action = BULK_ACTIONS.find((each) => each === act)
  return action && bulkDialog(c, account, { place, action, named })
}

/** Sends the file of the selected codes, if the address asks for it. */
export async function answerChosenZip(c: AppContext): Promise<Response | undefined> {
  const named = c.req.query('chosen') === 'zip' && nameTicked(c)
  return named ? sendZip(c, readChoice(named, readPlace(c.req.query()))) : undefined
}

/** Returns the selected codes in the format of the address of labels; empty for none. */
function nameTicked(c: AppContext): string {
  const { ids, isAll } = readTicks(c)
  return isAll ? '1' : [...ids].join(',')
}

type Bulk = {
  place: QrPlace
  action: BulkAction
  /** the codes, as in the address of labels */
  named: string
}

/** Renders the form of an act. It leaves out ids that cannot be changed; a list leaves them out by itself. */
export async function bulkDialog(
  c: AppContext,
  account: Account,
  { place, action, named }: Bulk,
  refused: Pick<QrBulkView, 'typed' | 'message'> = {},
): Promise<ReactElement> {
  const choice = readChoice(named, place)
  const { db } = c.var.deps
  const { able, unable } = await sortByAct(db, account, toSelection(choice), action)
  const left: Record<string, number> = {}
  for (const { refusal } of unable) left[refusal.message] = (left[refusal.message] ?? 0) + 1
  const codes = named === '1' ? '1' : able.map(({ qr_id }) => qr_id).join(',')
  const view = {
    act: action,
    count: able.length,
    left,
    children: able.filter(({ is_child_registered }) => is_child_registered).length,
    action: formAction('/chosen', place),
    hidden: { codes },
    ...refused,
  }
  return <QrBulk {...view} />
}
