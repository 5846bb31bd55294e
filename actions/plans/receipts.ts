import type { ActionDeps } from '#actions/deps.ts'
import type { Config } from '#config.ts'
import { getReceipt, type Issuer, NO_ISSUER, type Receipt } from '#db/plans/receipts.ts'
import type { Account } from '#db/schema.ts'
import { type Brand, prefixOf } from '#domain/brands/brand.ts'
import { DomainError } from '#domain/error.ts'
import { formatPaise, formatRupees } from '#domain/number.ts'
import { PLANS } from '#domain/plans/plan.ts'
import { containedTax } from '#domain/plans/receipt.ts'
import { paymentMethodLabel } from '#domain/plans/upgrade.ts'
import { formatDate } from '#domain/time.ts'
import { drawReceipt, type PrintedReceipt } from '#formats/receipt-pdf.ts'

/** Returns the issuer of receipts from the settings of the operator. */
export function issuerOf({ operator, support, timezone }: Config): Issuer {
  const { name, address, gstin, gstRate } = operator
  return {
    timezone,
    name: name ?? NO_ISSUER.name,
    address: address ?? null,
    contact: [support.email, support.phone].filter(Boolean).join('\n') || null,
    tax: gstin ? { gstin, rate: gstRate } : null,
  }
}

/**
 * Draws the receipt `R-2026-000123.pdf` for its account and for admins. A `brand` that stands alone hides the
 * product's name. Throws not_found.
 */
export async function drawReceiptFile(
  { db, config }: Pick<ActionDeps, 'db' | 'config'>,
  reader: Pick<Account, 'id' | 'role'>,
  file: string,
  brand: Brand | undefined,
): Promise<{ name: string; content: Uint8Array[] }> {
  const number = /^(R-\d{4}-\d{6,})\.pdf$/.exec(file)?.[1]
  if (!number) throw new DomainError('not_found.receipt')
  const receipt = await getReceipt(db, reader, number)
  const isHidden = brand?.isAlone ?? false
  const printed = toPrinted(receipt, config.timezone)
  const isUnnamed = isHidden && receipt.operator_name === NO_ISSUER.name
  const name = isUnnamed ? new URL(config.publicUrl).host : receipt.operator_name
  const operator = { ...printed.operator, name }
  const pdf = await drawReceipt({ ...printed, operator, hasMark: !isHidden })
  return { name: `${prefixOf(brand)}-${file}`, content: [pdf] }
}

function toPrinted(receipt: Receipt, timezone: string): Omit<PrintedReceipt, 'hasMark'> {
  const { number, amount, discount, promo_code, gstin } = receipt
  const { payment_method: method, payment_reference: reference } = receipt
  return {
    number,
    issued_at: new Date(receipt.issued_at),
    operator: {
      name: receipt.operator_name,
      lines: [receipt.operator_address, gstin && `GSTIN ${gstin}`].filter((line) => line !== null),
    },
    contact: receipt.operator_contact?.split('\n') ?? [],
    payment: [
      { label: 'Date', value: formatDate(receipt.issued_at, timezone) },
      ...(method ? [{ label: 'Paid by', value: paymentMethodLabel(method) ?? method }] : []),
      ...(reference ? [{ label: 'UTR', value: reference }] : []),
    ],
    account: [
      { label: 'Received from', value: receipt.account_name },
      { label: 'Account', value: receipt.account_contact },
    ],
    item: {
      plan: PLANS[receipt.plan].name,
      period: periodText(receipt, timezone),
      months: receipt.months === null ? 'no end' : String(receipt.months),
      price: formatRupees(amount + discount),
    },
    totals: [
      ...(discount > 0
        ? [
            {
              label: promo_code ? `Discount (${promo_code})` : 'Discount',
              value: `−${formatRupees(discount)}`,
            },
          ]
        : []),
      { label: 'Received', value: formatRupees(amount) },
    ],
    tax: taxText(receipt),
  }
}

function periodText({ starts_at, ends_at }: Receipt, timezone: string): string {
  const from = formatDate(starts_at, timezone)
  return ends_at ? `${from} to ${formatDate(ends_at, timezone)}` : `From ${from}, no end`
}

function taxText({ amount, gst_rate }: Receipt): string | undefined {
  if (gst_rate === null) return undefined
  const tax = formatPaise(containedTax(amount, gst_rate))
  return `The amount contains ${gst_rate} % GST: ${tax}.`
}
