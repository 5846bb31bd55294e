import { Note } from '#components/ui/note.tsx'

type Missing = { setting: string; cost: string }[]

/** Names the settings that owners miss; nothing when there is none. */
export function MissingSettings({ missing }: { missing: Missing }) {
  if (missing.length === 0) return null
  return (
    <Note tone="warn" title="Not set on this server">
      {missing.map(({ setting, cost }) => (
        <span key={setting} className="block">{`${setting}: ${cost}.`}</span>
      ))}
    </Note>
  )
}
