import { formatPlate } from '#domain/plate.ts'

export function Plate({ registration, size }: { registration: string; size?: 'large' }) {
  return (
    <span className={size === 'large' ? 'plate plate-lg' : 'plate'} translate="no">
      <span>{formatPlate(registration)}</span>
    </span>
  )
}
