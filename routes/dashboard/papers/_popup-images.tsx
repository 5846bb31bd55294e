import type { ReactElement } from 'react'
import { fileUrl } from '#actions/papers/view.ts'
import { Icon } from '#components/icons/icon.tsx'
import { PopupDelete } from '#components/papers/popup-delete.tsx'
import { PopupImageCard } from '#components/papers/popup-image-card.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { getPopupImage, listPopupImages, type PopupImage } from '#db/papers/popup-images.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { tabAction, tabHref } from '#domain/dashboard.ts'
import { FILE_REFUSALS } from '#domain/papers/file-kind.ts'
import { type Acting, actFor, ownersFor } from '#domain/people/acting.ts'
import { formatDate } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import { englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'

const TITLE = 'Popup Images'

/** A refused form, with its dialog or the reason. */
type RefusedForm = { dialog?: ReactElement; message?: string }

/** Returns the account whose images the address names. Throws the errors of `actFor`. */
export function actingOn(c: AppContext, account: Account): Acting {
  return actFor(account, c.req.query('owner_id'), 'images')
}

/** Returns the address of the images, with further query parameters. */
export function imagesHref(c: AppContext, rest: Record<string, string> = {}): string {
  return tabHref('popup-images', undefined, { ...ownerIn(c), ...rest })
}

function ownerIn(c: AppContext): Record<string, string> {
  const { owner_id } = c.req.query()
  return owner_id ? { owner_id } : {}
}

/** Renders the images that finders see before the contact details. */
export async function renderPopupImages(c: AppContext, account: Account, refused?: RefusedForm) {
  const dialog = refused ? refused.dialog : await requestedDialog(c, account)
  const isDialog = c.req.query('part') === 'dialog'
  const panel = isDialog ? null : await renderPanel(c, account)
  const page = { title: TITLE, tab: 'popup-images', dialog, ...outcomeOf(refused) } as const
  return renderDashboard(c, account, page, panel)
}

function outcomeOf(refused: RefusedForm | undefined) {
  return refused?.message ? { outcome: <Outcome text={refused.message} isRefused /> } : undefined
}

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement> {
  const { ownerId } = actingOn(c, account)
  const images = await listPopupImages(c.var.deps.db, ownerId)
  const upload = <UploadLink href={imagesHref(c, { upload: '1' })} />
  return (
    <>
      <div className="head">
        <h1 tabIndex={-1}>{TITLE}</h1>
        {images.length > 0 && upload}
      </div>
      <Owners account={account} current={ownerId} />
      <p className="soft">Finders see active images before your contact details. Keep them few.</p>
      {images.length > 0 ? (
        <section className="cards" aria-label="Images">
          {images.map((image) => (
            <PopupImageCard key={image.id} view={toCardView(c, image)} />
          ))}
        </section>
      ) : (
        <Empty icon="image" title="No popup images" action={upload}>
          <p>
            A poster or a greeting that you upload is shown to everyone who scans one of your codes.
          </p>
        </Empty>
      )}
    </>
  )
}

/** The accounts whose images somebody handles, where that is not only its own. */
function Owners({ account, current }: { account: Account; current: string }) {
  const owners = ownersFor(account, 'images')
  if (owners.length === 0) return null
  const layouts = [
    { id: account.id, label: 'Mine', href: tabHref('popup-images') },
    ...owners.map(({ id, name }) => ({
      id,
      label: name,
      href: tabHref('popup-images', undefined, { owner_id: id }),
    })),
  ]
  return <LayoutLinks label="Whose" layouts={layouts} current={current} />
}

function UploadLink({ href }: { href: string }) {
  return (
    <a className="btn btn-main" href={href} data-dialog="upload">
      <Icon name="upload" />
      Upload
    </a>
  )
}

function toCardView(c: AppContext, { id, file_name, is_active, ...image }: PopupImage) {
  const uploaded = formatDate(image.uploaded_at, c.var.deps.config.timezone)
  const acts = {
    toggle: tabAction('popup-images', `/${id}/toggle`, undefined, ownerIn(c)),
    delete_href: imagesHref(c, { delete: id }),
  }
  return { id, file_name, is_active, uploaded, url: fileUrl(image.stored_name), ...acts }
}

async function requestedDialog(c: AppContext, account: Account): Promise<ReactElement | undefined> {
  const { upload, delete: imageId } = c.req.query()
  const { ownerId } = actingOn(c, account)
  if (upload) return popupUploadDialog(c)
  if (!imageId) return undefined
  const { id, file_name, stored_name } = await getPopupImage(c.var.deps.db, ownerId, imageId)
  const action = tabAction('popup-images', `/${id}/delete`, undefined, ownerIn(c))
  return <PopupDelete file_name={file_name} url={fileUrl(stored_name)} action={action} />
}

export function popupUploadDialog(c: AppContext, message?: string): ReactElement {
  const action = tabAction('popup-images', '/upload', undefined, ownerIn(c))
  const { owner_id } = c.req.query()
  const texts = englishTexts(FILE_REFUSALS)
  const props = { action, owner_id, form_key: randomToken(), message, texts }
  return <Island name="popup-upload" props={props} />
}
