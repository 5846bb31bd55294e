import { toFlag } from '#db/cast.ts'
import type { QrColumn } from '#domain/codes/qr.ts'
import type { Visibility } from '#domain/codes/visibility.ts'

type Fields = Partial<Record<QrColumn, string | null> & Visibility>

/** Returns the sent fields of a code as columns. */
export function toColumns({ show_vehicle, show_city, ...fields }: Fields) {
  return {
    ...fields,
    ...(show_vehicle !== undefined && { show_vehicle: toFlag(show_vehicle) }),
    ...(show_city !== undefined && { show_city: toFlag(show_city) }),
  }
}
