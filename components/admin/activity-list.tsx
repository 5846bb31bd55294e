import { Icon, type IconName } from '#components/icons/icon.tsx'

export type ActivityView = {
  id: string
  icon: IconName
  title: string
  detail: string
  at: string
  /** the time as it is shown */
  ago: string
}

/** The acts of admins, newest first. */
export function ActivityList({ acts }: { acts: ActivityView[] }) {
  return (
    <ol className="stack small gap-3" aria-label="Recent Activity">
      {acts.map(({ id, icon, title, detail, at, ago }) => (
        <li key={id} className="row nowrap">
          <span className="avatar">
            <Icon name={icon} />
          </span>
          <span className="any-break">
            <b>{title}</b>
            <span className="soft block">{detail}</span>
          </span>
          <time className="push soft" dateTime={at}>
            {ago}
          </time>
        </li>
      ))}
    </ol>
  )
}
