import { toFlag } from '#db/cast.ts'
import { type Anyway, assertPhones, phoneColumns, type StoredPhones } from '#domain/codes/phones.ts'
import { NO_QR_FIELDS, type QrColumn } from '#domain/codes/qr.ts'
import type { Visibility } from '#domain/codes/visibility.ts'

type Fields = Partial<Record<QrColumn, string | null> & Visibility & Anyway>

/** The values of the columns of a code without details. */
export const NO_DETAILS = { ...NO_QR_FIELDS, contact_number: null, emergency_number: null }

/**
 * Returns the sent fields of a code as columns. Throws invalid for a number that is in no plan, unless it is `stored`
 * already or is to be used anyway.
 */
export function toColumns(sent: Fields, stored?: StoredPhones) {
  assertPhones(sent, stored)
  const {
    show_vehicle,
    show_city,
    contact_phone_anyway,
    emergency_contact_phone_anyway,
    ...fields
  } = sent
  return {
    ...fields,
    ...phoneColumns(fields, undefined, stored),
    ...(show_vehicle !== undefined && { show_vehicle: toFlag(show_vehicle) }),
    ...(show_city !== undefined && { show_city: toFlag(show_city) }),
  }
}
