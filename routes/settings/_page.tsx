import type { ReactNode } from 'react'
import { type SettingsFrame, SettingsShell } from '#components/settings/settings-shell.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import type { PagePart } from '#domain/page-sheets.ts'
import type { SettingsPage } from '#domain/settings.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { doneText } from '#routes/settings/_done.ts'

type SettingsView = Omit<SettingsFrame, 'outcome'> & {
  /** the title of the window, for a page that is one of many */
  called?: string
  /** why a form was refused, unless a field of it shows that */
  refusal?: string | undefined
  /** the id of the row that a form was about */
  at?: string | undefined
}

/** Renders a page of Settings, or only its dialog where a script asks for that part. */
export async function renderSettings(
  c: AppContext,
  { called, refusal, at = c.req.query('at'), ...frame }: SettingsView,
  panel: () => ReactNode | Promise<ReactNode>,
): Promise<Response> {
  const text = refusal ?? doneText(c.req.query('done'))
  const outcome = <Outcome text={text} at={at} isRefused={refusal !== undefined} />
  const content = c.req.query('part') === 'dialog' ? null : await panel()
  return renderPage(
    c,
    { title: called ?? frame.title, sheet: 'app', part: partOf(frame) },
    <SettingsShell outcome={outcome} {...frame}>
      {content}
    </SettingsShell>,
  )
}

/** The styles of some pages beside those of Settings. */
const MORE: Partial<Record<SettingsPage, PagePart>> = {
  branding: 'branding',
  security: 'security',
  support: 'tickets',
}

function partOf({ page }: Pick<SettingsView, 'page'>): PagePart[] {
  const more = page && MORE[page]
  return more ? ['settings', more] : ['settings']
}
