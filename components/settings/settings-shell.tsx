import type { ReactNode } from 'react'
import { SettingsBar, SetUpBar } from '#components/frame/top-bar.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { onOffer } from '#domain/plans/offer.ts'
import { SETTINGS_HREF, SETTINGS_PAGES, type SettingsPage, settingsHref } from '#domain/settings.ts'

export type SettingsFrame = {
  /** undefined for the list of pages */
  page?: SettingsPage
  title: string
  /** the main act, beside the title */
  act?: ReactNode
  /** whether the title is of a page below `page` */
  isBelow?: boolean
  /** whether no other page can be reached now, so that none is led to */
  isAlone?: boolean
  /** what became of the form that led here */
  outcome?: ReactNode
  /** the dialog over the page, if one is open */
  dialog?: ReactNode
}

/** Bar, breadcrumb and list of pages around a page of Settings, whose title is its h1. */
export function SettingsShell(frame: SettingsFrame & { children: ReactNode }) {
  const { page, title, act, isAlone, outcome, dialog, children } = frame
  const heading = <h1 tabIndex={-1}>{title}</h1>
  return (
    <>
      {isAlone ? <SetUpBar outcome={outcome} /> : <SettingsBar outcome={outcome} />}
      <main className="wrap" id="main">
        <div className="main" id="panel" data-failure="Failed to load settings">
          {!isAlone && <Crumbs {...frame} />}
          {page ? (
            <div className="settings">
              {!isAlone && <Side page={page} />}
              <div className="stack">
                {act ? (
                  <div className="head">
                    {heading}
                    {act}
                  </div>
                ) : (
                  heading
                )}
                {children}
              </div>
            </div>
          ) : (
            <>
              {heading}
              {children}
            </>
          )}
        </div>
        <div id="dialog">{dialog}</div>
      </main>
    </>
  )
}

function Crumbs({ page, title, isBelow = false }: SettingsFrame) {
  const above = SETTINGS_PAGES.find(({ id }) => isBelow && id === page)
  const links = [
    { href: '/dashboard', label: 'Dashboard' },
    ...(page ? [{ href: SETTINGS_HREF, label: 'Settings' }] : []),
    ...(above ? [{ href: settingsHref(above.id), label: above.label }] : []),
  ]
  return (
    <nav aria-label="Breadcrumb">
      <ol className="crumbs">
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
        <li>
          <span aria-current="page">{title}</span>
        </li>
      </ol>
    </nav>
  )
}

function Side({ page }: { page: SettingsPage }) {
  return (
    <nav className="side" aria-label="Settings">
      {onOffer(SETTINGS_PAGES).map(({ id, label, icon }) => (
        <a key={id} href={settingsHref(id)} aria-current={id === page ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
        </a>
      ))}
    </nav>
  )
}
