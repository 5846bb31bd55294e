import { getCookie } from 'hono/cookie'
import type { ReactElement } from 'react'
import { PremiumUpsell } from '#components/codes/dashboard-empty.tsx'
import { CodeGallery, NoDocuments, NoDocumentsFound } from '#components/papers/code-gallery.tsx'
import { GalleryToolbar } from '#components/papers/gallery-toolbar.tsx'
import { ShareLinks } from '#components/papers/share-links.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import type { Account } from '#db/schema.ts'
import { type GalleryLayout, readGalleryLayout, readGalleryPlace } from '#domain/papers/gallery.ts'
import { whereOpen } from '#domain/people/share.ts'
import { canUseGallery } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { requestedGalleryDialog } from '#routes/dashboard/papers/_gallery-dialogs.tsx'
import { readGallery, readShareLinks } from '#routes/dashboard/papers/_gallery-view.ts'

const TITLE = 'Gallery'

/** Renders the documents of an account as pictures, with the dialog that answers a form. */
export async function renderGallery(c: AppContext, account: Account, answer?: ReactElement) {
  const dialog = answer ?? (await requestedGalleryDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  const page = { title: TITLE, tab: 'gallery', dialog } as const
  return renderDashboard(c, account, page, panel)
}

async function renderPanel(c: AppContext, account: Account) {
  const open = whereOpen(account, canUseGallery)
  const gallery = open ? await renderDocuments(c, open) : <PremiumUpsell />
  return (
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      {gallery}
      {/* Also after a plan has ended: its links can still be ended. */}
      <ShareLinks links={await readShareLinks(c, account)} />
    </>
  )
}

async function renderDocuments(
  c: AppContext,
  { viewer, whose }: NonNullable<ReturnType<typeof whereOpen<Account>>>,
): Promise<ReactElement> {
  const place = readGalleryPlace(c.req.query())
  const layout = chooseLayout(c)
  const { sections, pages, href } = await readGallery(c, viewer, { ...place, whose })
  return (
    <>
      <GalleryToolbar place={place} layout={layout} />
      {sections.length === 0 && (place.q || place.type ? <NoDocumentsFound /> : <NoDocuments />)}
      {sections.length > 0 && (
        <p className="small soft">
          Public: anyone who scans the code can open it. Private: finders cannot.
        </p>
      )}
      {sections.map((section) => (
        <CodeGallery key={section.qr_id} view={section} layout={layout} />
      ))}
      <ListPager page={place.page} pages={pages} href={href} />
    </>
  )
}

const LAYOUT_COOKIE = 'driveqr_gallery'

/** Returns the layout that the address asks for, and remembers it on this device. */
function chooseLayout(c: AppContext): GalleryLayout {
  const requested = readGalleryLayout(c.req.query('layout'))
  if (requested) keepPreference(c, LAYOUT_COOKIE, requested, '/dashboard')
  return requested ?? readGalleryLayout(getCookie(c, LAYOUT_COOKIE)) ?? 'grid'
}
