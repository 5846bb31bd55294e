import type { ReactElement } from 'react'
import { notePrinted, readLogo } from '#actions/brands/brands.ts'
import { moduleCounts } from '#actions/codes/labels.ts'
import { resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import { QrActivated } from '#components/tags/qr-activation.tsx'
import { assertActivationCodes } from '#db/codes/activation.ts'
import type { MadeQrCode } from '#db/codes/qr-creation.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { type Activated, readActivated } from '#domain/codes/activation.ts'
import { LABEL_SIZES, planLabels } from '#domain/codes/labels.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { CSV_BOM, toCsv } from '#domain/csv.ts'
import { drawLabels } from '#formats/label-pdf.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Shows activation codes that were just made; undefined for codes without. */
export function activatedDialog(
  made: readonly (Activated | MadeQrCode)[],
): ReactElement | undefined {
  const codes = made.flatMap(({ qr_id, activation_code }) =>
    activation_code ? [{ qr_id, activation_code }] : [],
  )
  return codes.length > 0 ? <QrActivated codes={codes} /> : undefined
}

/** Sends labels with the activation codes, which only the page that sent the form knows. */
export async function answerActivationLabels(c: AppContext): Promise<Response> {
  const { codes, branding, size } = await readPosted(c)
  const { deps } = c.var
  const plan = planLabels({ sheet: 'a4', size, hasStub: true }, moduleCounts(branding))
  const brand = branding.brand && { ...branding.brand, logo: await readLogo(deps, branding.brand) }
  const printing = { plan, brand, start: 1, outline: false, now: deps.clock() }
  const name = `${prefixOf(branding.brand)}-labels.pdf`
  return sendFile(c, drawLabels(codes, printing), { name, type: 'application/pdf' })
}

const HEADINGS = ['code', 'link', 'activation_code']

/** Sends the codes with their activation codes as CSV. */
export async function answerActivationList(c: AppContext): Promise<Response> {
  const { codes, branding } = await readPosted(c)
  const rows = codes.map(({ qr_id, url, activation_code }) => {
    return [formatQrId(qr_id), url, activation_code]
  })
  const list = Buffer.from(CSV_BOM + toCsv([HEADINGS, ...rows]))
  const name = `${prefixOf(branding.brand)}-activation-codes.csv`
  async function* whole() {
    yield list
  }
  return sendFile(c, whole(), { name, type: 'text/csv; charset=utf-8' })
}

/** The posted codes, which count as printed from here on. */
async function readPosted(c: AppContext) {
  const { deps } = c.var
  const account = requireAccount(c)
  const { form } = await readForm(c)
  const shown = readActivated(form.codes ?? '')
  await assertActivationCodes(deps.db, account, shown, deps.secretKey)
  const branding = await resolveBrandOf(deps, account.id)
  const size = LABEL_SIZES.find((side) => String(side) === form.size) ?? LABEL_SIZES[0]
  const codes = shown.map((code) => ({ ...code, url: scanUrl(branding, code.qr_id) }))
  await notePrinted(deps, branding, codes)
  return { codes, branding, size }
}
