import { Icon } from '#components/icons/icon.tsx'

export type SetupView = {
  name: string
  /** the missing part and its remedy; null once it is done */
  missing: string | null
  /** the page on which it is done, if there is one */
  page: { label: string; href: string } | undefined
}

/** The parts of the installation that its operator sets up, done or not. */
export function SetupList({ views }: { views: SetupView[] }) {
  return (
    <section className="sheet stack gap-3" aria-labelledby="setup">
      <h2 className="text-lg" id="setup">
        Set up this server
      </h2>
      <ul className="rows setup">
        {views.map((view) => (
          <li key={view.name} className={view.missing === null ? 'done' : undefined}>
            <Icon name={view.missing === null ? 'check' : 'alert'} />
            <span className="grow any-break">
              <b>{view.name}</b>
              {view.missing === null ? <span className="vh">: done</span> : <Missing view={view} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Missing({ view: { missing, page } }: { view: SetupView }) {
  return (
    <span className="small soft block">
      {`${missing}. `}
      {page ? (
        <a href={page.href}>{page.label}</a>
      ) : (
        <>
          {'See '}
          <code>docs/settings.md</code>
        </>
      )}
    </span>
  )
}
