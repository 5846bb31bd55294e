import { Icon } from '#components/icons/icon.tsx'
import { DUE_HREF } from '#domain/dashboard.ts'

export type DueOneView = {
  /** as `PUC ends in 5 days` */
  text: string
  isOver: boolean
  /** the title of its code */
  title: string
  /** the number of further ends, as it is shown; empty without any */
  more: string
}

/** The nearest end of all codes in one line, which leads to the list of all. */
export function DueOne({ view: { text, isOver, title, more } }: { view: DueOneView }) {
  return (
    <a className={isOver ? 'due-one late' : 'due-one'} href={DUE_HREF}>
      <Icon name={isOver ? 'alert' : 'clock'} />
      <span>
        <b>
          <span className="vh">Due soon: </span>
          {text}
        </b>
        <span className="soft">
          <bdi translate="no">{title}</bdi>
          {more && ` and ${more} more`}
        </span>
      </span>
      <Icon name="next" />
    </a>
  )
}
