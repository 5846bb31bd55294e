import type { StatusCode } from 'hono/utils/http-status'
import type { ReactNode } from 'react'
import { type SettingsFrame, SettingsShell } from '#components/settings/settings-shell.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import type { PagePart } from '#domain/page-sheets.ts'
import type { SettingsPage } from '#domain/settings.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { doneText } from '#routes/settings/_done.ts'

type SettingsView = Omit<SettingsFrame, 'outcome'> & {
  /** what the window is called, where its page is one of many with a title */
  called?: string
  status?: StatusCode | undefined
  /** why a form was refused, where no field of it says that */
  refusal?: string | undefined
  /** the id of what a form was about */
  at?: string | undefined
}

/** A page of Settings. A script that only wants its dialog says so, and is spared the rest. */
export async function renderSettings(
  c: AppContext,
  { called, status, refusal, at = c.req.query('at'), ...frame }: SettingsView,
  panel: () => ReactNode | Promise<ReactNode>,
): Promise<Response> {
  const text = refusal ?? doneText(c.req.query('done'))
  const outcome = <Outcome text={text} at={at} isRefused={refusal !== undefined} />
  const content = c.req.query('part') === 'dialog' ? null : await panel()
  return renderPage(
    c,
    { title: called ?? frame.title, sheet: 'app', part: partOf(frame), status },
    <SettingsShell outcome={outcome} {...frame}>
      {content}
    </SettingsShell>,
  )
}

/** What some pages have beside the styles of Settings. */
const MORE: Partial<Record<SettingsPage, PagePart>> = {
  branding: 'branding',
  security: 'security',
  support: 'tickets',
}

function partOf({ page }: Pick<SettingsView, 'page'>): PagePart[] {
  const more = page && MORE[page]
  return more ? ['settings', more] : ['settings']
}
