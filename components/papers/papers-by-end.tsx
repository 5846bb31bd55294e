import { Icon, type IconName } from '#components/icons/icon.tsx'
import { CodeHeading, type CodeHeadingView } from '#components/papers/code-heading.tsx'
import { DueText, type EndView } from '#components/papers/document-entry.tsx'
import { Empty } from '#components/ui/empty.tsx'

export type PaperEndView = {
  id: string
  icon: IconName
  /** as `PUC` */
  name: string
  end: EndView
  heading: CodeHeadingView
  /** the code's name, where a control is heard by itself */
  about: string
  /** a document opens among those of its code, a date of a code in its form */
  act: { label: 'Open' | 'Edit'; href: string }
}

/** The papers and services of all codes with a date, the nearest first. */
export function PapersByEnd({ ends }: { ends: PaperEndView[] }) {
  if (ends.length === 0) {
    return (
      <Empty icon="calendar" title="No dates yet">
        <p>Say when your papers end, and they stand here in order.</p>
      </Empty>
    )
  }
  return (
    <section className="sheet papers" aria-label="By end">
      {ends.map((view) => (
        <PaperEnd key={view.id} view={view} />
      ))}
    </section>
  )
}

function PaperEnd({ view: { icon, name, end, heading, about, act } }: { view: PaperEndView }) {
  return (
    <article className="paper" aria-label={`${name} of ${about}`}>
      <span className="avatar">
        <Icon name={icon} />
      </span>
      <div>
        <h2 className="text-md">{name}</h2>
        <p className="facts-line">
          <DueText {...end} />
        </p>
      </div>
      <div className="paper-acts">
        <div className="row gap-2">
          <CodeHeading view={heading} as="b" />
        </div>
        <div className="row nowrap">
          <a className="btn btn-sm" href={act.href}>
            {act.label}
            <span className="vh">{` ${name} of ${about}`}</span>
          </a>
        </div>
      </div>
    </article>
  )
}
