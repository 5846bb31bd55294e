import { Icon } from '#components/icons/icon.tsx'
import { apiKeyHref } from '#domain/dashboard.ts'

/** A key as the list shows it; dates as they are read. */
export type ApiKeyRow = { id: string; name: string; created: string; used: string }

/** The keys of an account, each of which can be revoked. */
export function ApiKeyList({ keys }: { keys: ApiKeyRow[] }) {
  if (keys.length === 0) return <p className="soft">No API keys yet.</p>
  return (
    <ul className="stack gap-3" aria-label="Your API keys">
      {keys.map(({ id, name, created, used }) => (
        <li key={id} className="row">
          <div className="stack gap-0">
            <b className="any-break">{name}</b>
            <span className="small soft">{`Made ${created} · ${used}`}</span>
          </div>
          <a
            className="btn btn-sm btn-quiet tool-stop push"
            href={apiKeyHref(id)}
            data-dialog="key"
          >
            <Icon name="trash" />
            Revoke
            <span className="vh">{` ${name}`}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
