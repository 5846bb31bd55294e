import { Plate } from '#components/codes/plate.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { DUE_HREF } from '#domain/dashboard.ts'

export type DueStripItem = {
  key: string
  /** as `PUC ends in 5 days` */
  text: string
  isOver: boolean
  vehicle_registration: string | null
  /** the code's, where it has no plate */
  name: string
  href: string
}

/** The next ends and the recent ones, above the list of codes. */
export function DueStrip({ items }: { items: DueStripItem[] }) {
  return (
    <section className="sheet due" aria-labelledby="due-soon">
      <div className="head">
        <h2 id="due-soon">Due soon</h2>
        <a className="btn btn-quiet btn-sm" href={DUE_HREF}>
          See all
          <span className="vh"> that is due soon</span>
          <Icon name="chev" />
        </a>
      </div>
      <ul className="due-list">
        {items.map(({ key, text, isOver, vehicle_registration, name, href }) => (
          <li key={key}>
            <a className={isOver ? 'late' : undefined} href={href}>
              <span>
                <Icon name={isOver ? 'alert' : 'clock'} />
                <span>{text}</span>
              </span>
              {vehicle_registration ? (
                <Plate registration={vehicle_registration} />
              ) : (
                <span className="any-break">{name}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
