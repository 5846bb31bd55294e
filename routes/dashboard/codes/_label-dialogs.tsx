import type { ReactElement } from 'react'
import { moduleCounts } from '#actions/codes/labels.ts'
import { readSelection } from '#actions/codes/selection.ts'
import { QrMade } from '#components/codes/qr-made.tsx'
import { fillLabelForm, LABEL_REFUSALS } from '#domain/codes/label-form.ts'
import { isTooLongForAddress, readChoice, zipHref } from '#domain/codes/qr-choice.ts'
import { dialogHref, placeFields } from '#domain/dashboard.ts'
import { printWarning } from '#domain/print-letters.ts'
import { Island } from '#islands/_island.tsx'
import { englishTexts } from '#locales/refusal.ts'
import type { DialogRequest } from '#routes/dashboard/codes/_code-dialogs.tsx'

/** Prints the codes that the address names, or those of the list. Throws not_found for none. */
export async function labelsDialog({
  c,
  account,
  place,
  qrId: named,
}: DialogRequest): Promise<ReactElement> {
  const choice = readChoice(named, place)
  const { deps } = c.var
  const { codes, branding } = await readSelection(deps, account, choice, 'edit')
  const count = codes.length
  const address = { tab: 'my-qrs', labels: named, ...placeFields({ ...place, page: 1 }) }
  const props = {
    count,
    modules: moduleCounts(branding),
    chosen: fillLabelForm(c.req.query()),
    hidden: { ...choice, ...address },
    isLong: 'ids' in choice && isTooLongForAddress(count),
    printWarning: printWarning(branding.brand?.name ?? ''),
    texts: englishTexts(LABEL_REFUSALS),
  }
  return <Island name="qr-labels" props={props} />
}

/** Offers the next steps for new codes, which the address names. */
export async function madeDialog({
  c,
  account,
  place,
  qrId: named,
}: DialogRequest): Promise<ReactElement> {
  // Those of an import are named by their time, because they are too many for an address.
  const choice = readChoice(named, place)
  const { codes } = await readSelection(c.var.deps, account, choice, 'look')
  const props = {
    count: codes.length,
    zip_href: zipHref(choice),
    labels_href: dialogHref('labels', place, named),
  }
  return <QrMade {...props} />
}
