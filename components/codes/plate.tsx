import { formatPlate, isLongPlate } from '#domain/codes/plate.ts'

export function Plate({ registration, size }: { registration: string; size?: 'large' }) {
  const shown = formatPlate(registration)
  const classes = ['plate', size === 'large' && 'plate-lg', isLongPlate(shown) && 'plate-long']
  return (
    <span className={classes.filter(Boolean).join(' ')} translate="no">
      <span>{shown}</span>
    </span>
  )
}
