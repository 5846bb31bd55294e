import { getCookie } from 'hono/cookie'
import type { ReactElement } from 'react'
import { PremiumUpsell } from '#components/codes/dashboard-empty.tsx'
import { CodeGallery, NoDocuments, NoDocumentsFound } from '#components/papers/code-gallery.tsx'
import { GalleryToolbar } from '#components/papers/gallery-toolbar.tsx'
import { ShareLinks } from '#components/papers/share-links.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import type { Account } from '#db/schema.ts'
import type { DomainError } from '#domain/error.ts'
import { type GalleryLayout, readGalleryLayout, readGalleryPlace } from '#domain/papers/gallery.ts'
import { canUseGallery } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { doneText } from '#routes/dashboard/_done.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { askedGalleryDialog } from '#routes/dashboard/papers/_gallery-dialogs.tsx'
import { readGallery, readShareLinks } from '#routes/dashboard/papers/_gallery-view.ts'

const TITLE = 'Gallery'

/** The result of sharing: the link, or why there is none. */
export type Shared = { dialog: ReactElement; code?: DomainError['code'] }

/** The papers of an account as pictures, to look at and to share. */
export async function renderGallery(c: AppContext, account: Account, shared?: Shared) {
  const mayUse = canUseGallery(account.subscription_plan)
  const dialog = shared?.dialog ?? (mayUse ? await askedGalleryDialog(c, account) : undefined)
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account, mayUse)
  const status = shared?.code && STATUS[shared.code]
  const page = { title: TITLE, tab: 'gallery', status, dialog } as const
  return renderDashboard(c, account, page, panel)
}

async function renderPanel(c: AppContext, account: Account, mayUse: boolean) {
  const gallery = mayUse ? await renderDocuments(c, account) : <PremiumUpsell />
  return (
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      <Outcome text={doneText(c.req.query())} at={c.req.query('at')} />
      {gallery}
      {/* after a plan has ended too: what was shared can be taken back */}
      <ShareLinks links={await readShareLinks(c, account)} />
    </>
  )
}

async function renderDocuments(c: AppContext, account: Account): Promise<ReactElement> {
  const place = readGalleryPlace(c.req.query())
  const layout = chooseLayout(c)
  const { sections, pages, href } = await readGallery(c, account, place)
  return (
    <>
      <GalleryToolbar place={place} layout={layout} />
      {sections.length === 0 && (place.q || place.type ? <NoDocumentsFound /> : <NoDocuments />)}
      {sections.map((section) => (
        <CodeGallery key={section.qr_id} view={section} layout={layout} />
      ))}
      <ListPager page={place.page} pages={pages} href={href} />
    </>
  )
}

const LAYOUT_COOKIE = 'driveqr_gallery'

/** The view that was asked for is remembered on this device. */
function chooseLayout(c: AppContext): GalleryLayout {
  const asked = readGalleryLayout(c.req.query('layout'))
  if (asked) keepPreference(c, LAYOUT_COOKIE, asked, '/dashboard')
  return asked ?? readGalleryLayout(getCookie(c, LAYOUT_COOKIE)) ?? 'grid'
}
