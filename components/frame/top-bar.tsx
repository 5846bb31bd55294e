import type { ReactNode } from 'react'
import { AppearanceSwitch } from '#components/frame/appearance-switch.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Said } from '#components/ui/outcome.tsx'
import { SET_UP_HREF } from '#domain/accounts/second-factor.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import { SETTINGS_HREF } from '#domain/settings.ts'

export type TopBarAccount = {
  role: 'client' | 'premium' | 'moderator' | 'admin' | 'super_admin'
  subscription_plan: 'free' | 'premium' | 'enterprise'
}

/** The result of the form that led to the page. */
type Told = { outcome?: ReactNode }

/** The bar over every page of an owner. Its page marks the main content with id="main". */
export function TopBar({ account, outcome }: Told & { account: TopBarAccount }) {
  const isAdmin = account.role === 'admin' || account.role === 'super_admin'
  const links = [...(isAdmin ? [ADMIN_DASHBOARD] : []), SETTINGS]
  return (
    <Bar home="/dashboard" outcome={outcome} menu={<Menu links={links} />}>
      <BarLinks links={links} />
      {account.subscription_plan === 'free' && (
        <a className="btn btn-brand btn-sm" href={upgradeHref()} data-dialog="upgrade">
          <Icon name="crown" />
          Upgrade
        </a>
      )}
    </Bar>
  )
}

/** The bar over the super admin's pages. */
export function AdminTopBar({ name, outcome }: Told & { name: string }) {
  const links = [BACK_TO_DASHBOARD, HOME]
  return (
    <Bar home="/admin" outcome={outcome} menu={<Menu links={links} hasSettings />}>
      <Badge tone="premium" long>
        Super Admin
      </Badge>
      <span className="wide small">{name}</span>
      <BarLinks links={links} />
    </Bar>
  )
}

type ManagerProps = Told & {
  role: string
  /** whether admins may make themselves super admins here, to try the service out */
  mayGrant: boolean
}

/** The bar over the management page of admins, which leads super admins on to their own page. */
export function AdminDashboardBar({ role, mayGrant, outcome }: ManagerProps) {
  const further = role === 'super_admin' ? [SUPER_ADMIN] : mayGrant ? [GRANT_ADMIN] : []
  const links = [...further, BACK_TO_DASHBOARD]
  return (
    <Bar home="/dashboard" outcome={outcome} menu={<Menu links={links} hasSettings />}>
      <BarLinks links={links} />
    </Bar>
  )
}

/** The bar over the pages of Settings. */
export function SettingsBar({ outcome }: Told) {
  const links = [BACK_TO_DASHBOARD]
  return (
    <Bar home="/dashboard" outcome={outcome} menu={<Menu links={links} hasSettings />}>
      <BarLinks links={links} />
    </Bar>
  )
}

/** The bar over the set-up of a required second factor, before which every other page leads back to it. */
export function SetUpBar({ outcome }: Told) {
  return <Bar home={SET_UP_HREF} outcome={outcome} menu={<Menu links={[]} />} />
}

type BarLink = { href: string; icon: IconName; label: string }

const ADMIN_DASHBOARD: BarLink = {
  href: '/admin-dashboard',
  icon: 'shield',
  label: 'Admin Dashboard',
}
const SUPER_ADMIN: BarLink = { href: '/admin', icon: 'gear', label: 'Super Admin' }
const GRANT_ADMIN: BarLink = {
  href: '/grant-admin',
  icon: 'crown',
  label: 'Grant Admin Access (Dev)',
}
const BACK_TO_DASHBOARD: BarLink = { href: '/dashboard', icon: 'back', label: 'Back to Dashboard' }
const HOME: BarLink = { href: '/', icon: 'home', label: 'Home' }
const SETTINGS: BarLink = { href: SETTINGS_HREF, icon: 'gear', label: 'Settings' }

function Bar(props: Told & { home: string; menu: ReactNode; children?: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <div className="wrap">
          <Logo href={props.home} />
          <Said>{props.outcome}</Said>
          {props.children}
          <Logout on="wide" look="btn btn-quiet btn-sm" />
          {props.menu}
        </div>
      </header>
    </>
  )
}

function BarLinks({ links }: { links: BarLink[] }) {
  return links.map(({ href, icon, label }) => (
    <a key={href} className="btn btn-quiet btn-sm wide" href={href}>
      <Icon name={icon} />
      {label}
    </a>
  ))
}

type MenuProps = {
  links: BarLink[]
  /** whether wide screens have the settings here too */
  hasSettings?: boolean
}

/** A wide screen has the links and Logout in the bar itself. */
function Menu({ links, hasSettings = false }: MenuProps) {
  return (
    <details className="menu">
      <summary className="btn btn-quiet btn-icon btn-sm" aria-label="Menu">
        <Icon name="menu" />
      </summary>
      <div className="menu-list">
        {links.map(({ href, icon, label }) => (
          <a key={href} className="btn btn-quiet narrow" href={href}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
        {hasSettings && (
          <a className="btn btn-quiet" href={SETTINGS.href}>
            <Icon name={SETTINGS.icon} />
            {SETTINGS.label}
          </a>
        )}
        <AppearanceSwitch />
        <Logout on="narrow" look="btn btn-quiet" />
      </div>
    </details>
  )
}

/** `on`: the screens that have it. */
function Logout({ on, look }: { on: 'wide' | 'narrow'; look: string }) {
  return (
    <form className={on} method="post" action="/logout" data-action="logout">
      <button className={look} type="submit">
        <Icon name="logout" />
        Logout
      </button>
    </form>
  )
}
