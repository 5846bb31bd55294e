import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'

type Named = { owner_name: string | null; qr_type: string }
type Titled = Named & { vehicle_make_model: string | null; vehicle_registration: string | null }

/** Returns the name of a code: its owner's, or its kind while it is unclaimed. */
export function nameOf({ owner_name, qr_type }: Named): string {
  if (owner_name) return owner_name
  return qr_type === 'child' ? 'Child QR code' : 'QR code'
}

/** Returns the text that tells a code from the others: make and model, else the plate, else the name. */
export function titleOf(code: Titled): string {
  const { vehicle_make_model, vehicle_registration } = code
  if (vehicle_make_model) return vehicle_make_model
  return vehicle_registration ? formatPlate(vehicle_registration) : nameOf(code)
}

/** Returns a title with a second sign for screen readers, because two vehicles can be of one model. */
export function accessibleName(code: Titled & { qr_id: string }): string {
  const { vehicle_make_model, vehicle_registration, qr_id } = code
  const plate = vehicle_registration && formatPlate(vehicle_registration)
  if (plate && !vehicle_make_model) return `${plate}, ${nameOf(code)}`
  return `${titleOf(code)}, ${plate || formatQrId(qr_id)}`
}
