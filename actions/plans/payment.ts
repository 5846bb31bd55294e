import type { Config } from '#config.ts'
import type { UpgradeRequest } from '#db/plans/upgrade-requests.ts'
import { type Brand, prefixOf } from '#domain/brands/brand.ts'
import { DEFAULT_MONTHS, paymentNote, upiUrl } from '#domain/plans/upgrade.ts'

/** Checks whether the operator has said how to pay. */
export function takesPayments({ payment }: Config): boolean {
  return payment.upiId !== undefined || payment.accountNumber !== undefined
}

/** Lists the settings that owners miss on this installation, with the consequence of each. */
export function missingForOwners(config: Config): { setting: string; cost: string }[] {
  const { email, phone } = config.support
  const payment = {
    setting: 'UPI_ID or BANK_ACCOUNT_NUMBER',
    cost: 'owners ask for an upgrade and wait until you write how to pay',
  }
  const contact = {
    setting: 'SUPPORT_EMAIL or SUPPORT_PHONE',
    cost: 'owners find no contact under Support',
  }
  return [
    ...(takesPayments(config) || !config.plans ? [] : [payment]),
    ...(email || phone ? [] : [contact]),
  ]
}

/**
 * Returns the payment details of an upgrade, for an account that sees `brand`. Details that are not
 * configured are null.
 */
export function toPaymentView(
  config: Config,
  { id, amount, months }: UpgradeRequest,
  brand: Brand | undefined,
) {
  const { upiId, accountName, accountNumber, ifsc, bank } = config.payment
  const prefix = prefixOf(brand)
  const payee = { upiId: upiId ?? '', name: accountName ?? prefix }
  const account_details = accountNumber
    ? {
        account_name: accountName ?? null,
        account_number: accountNumber,
        ifsc: ifsc ?? null,
        bank: bank ?? null,
      }
    : null
  return {
    request_id: id,
    payment_methods: takesPayments(config)
      ? {
          upi_id: upiId ?? null,
          upi_url: upiId && amount > 0 ? upiUrl(payee, amount, paymentNote(id, prefix)) : null,
          account_details,
        }
      : null,
    contact: supportContact(config),
    months: months ?? DEFAULT_MONTHS,
    amount,
  }
}

/** Returns the configured support contact, with null for missing parts. */
export function supportContact({ support }: Config) {
  return { email: support.email ?? null, phone: support.phone ?? null }
}
