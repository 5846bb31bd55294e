import { Icon } from '#components/icons/icon.tsx'

/** Leads an admin without codes to the work that waits. */
export function AdminLine() {
  return (
    <a className="due-one" href="/admin">
      <Icon name="clock" />
      <span>
        <b>Admin overview</b>
        <span className="soft">Requests, reports and tickets</span>
      </span>
      <Icon name="next" />
    </a>
  )
}
