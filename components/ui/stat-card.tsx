import { Icon, type IconName } from '#components/icons/icon.tsx'
import { formatCount } from '#domain/number.ts'

type StatCardProps = {
  label: string
  icon?: IconName
  count: number
  /** what the figure is to be seen against */
  note?: string
}

/** One figure over a page of the admin area. */
export function StatCard({ label, icon, count, note }: StatCardProps) {
  return (
    <div className="card stat">
      <span className="row between nowrap">
        {label}
        {icon && <Icon name={icon} />}
      </span>
      <b>{formatCount(count)}</b>
      {note && <span>{note}</span>}
    </div>
  )
}
