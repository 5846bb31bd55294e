import { Icon } from '#components/icons/icon.tsx'
import { settingsHref } from '#domain/settings.ts'

/** A key as the list shows it; dates as they are read, and its rights. */
export type ApiKeyRow = { id: string; name: string; created: string; used: string; can: string }

/** The keys of an account, each of which can be revoked. */
export function ApiKeyList({ keys }: { keys: ApiKeyRow[] }) {
  if (keys.length === 0) return <p className="soft">No API keys yet.</p>
  return (
    <ul className="rows" aria-label="Your API keys">
      {keys.map(({ id, name, created, used, can }) => (
        <li key={id}>
          <span className="avatar">
            <Icon name="bolt" />
          </span>
          <div className="stack gap-0 grow">
            <b className="any-break">{name}</b>
            <span className="small soft">{can}</span>
            <span className="small soft">{`Made ${created} · ${used}`}</span>
          </div>
          <span className="acts">
            <a
              className="btn btn-sm btn-quiet btn-red"
              href={settingsHref('api-keys', { revoke: id })}
              data-dialog="key"
              data-gone="API key not found"
            >
              <Icon name="trash" />
              Revoke
              <span className="vh">{` ${name}`}</span>
            </a>
          </span>
        </li>
      ))}
    </ul>
  )
}
