import { Icon, type IconName } from '#components/icons/icon.tsx'

type Layout = { id: string; label: string; icon?: IconName; href: string }
type LayoutLinksProps = { label: string; layouts: Layout[]; current: string }

/** The ways to look at a list, side by side, as pictures or in words. */
export function LayoutLinks({ label, layouts, current }: LayoutLinksProps) {
  return (
    <nav className="segments" aria-label={label}>
      {layouts.map(({ id, label, icon, href }) => (
        <a key={id} href={href} title={label} aria-current={id === current ? 'true' : undefined}>
          <span className={icon && 'vh'}>{label}</span>
          {icon && <Icon name={icon} />}
        </a>
      ))}
    </nav>
  )
}
