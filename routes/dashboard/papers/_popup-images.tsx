import type { ReactElement } from 'react'
import { fileUrl } from '#actions/papers/view.ts'
import { Icon } from '#components/icons/icon.tsx'
import { PopupDelete } from '#components/papers/popup-delete.tsx'
import { PopupImageCard } from '#components/papers/popup-image-card.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { getPopupImage, listPopupImages, type PopupImage } from '#db/papers/popup-images.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { tabAction, tabHref } from '#domain/dashboard.ts'
import { FILE_REFUSALS } from '#domain/papers/file-kind.ts'
import { formatDate } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import { englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'

const TITLE = 'Popup Images'

/** A refused form, with its dialog or the reason. */
type RefusedForm = { dialog?: ReactElement; message?: string }

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
  const images = await listPopupImages(c.var.deps.db, account.id)
  return (
    <>
      <div className="head">
        <h1 tabIndex={-1}>{TITLE}</h1>
        {images.length > 0 && <UploadLink />}
      </div>
      <p className="soft">Finders see active images before your contact details. Keep them few.</p>
      {images.length > 0 ? (
        <section className="cards" aria-label="Images">
          {images.map((image) => (
            <PopupImageCard key={image.id} view={toCardView(c, image)} />
          ))}
        </section>
      ) : (
        <Empty icon="image" title="No popup images" action={<UploadLink />}>
          <p>
            A poster or a greeting that you upload is shown to everyone who scans one of your codes.
          </p>
        </Empty>
      )}
    </>
  )
}

function UploadLink() {
  return (
    <a
      className="btn btn-main"
      href={tabHref('popup-images', undefined, { upload: '1' })}
      data-dialog="upload"
    >
      <Icon name="upload" />
      Upload
    </a>
  )
}

function toCardView(c: AppContext, { id, file_name, is_active, ...image }: PopupImage) {
  const uploaded = formatDate(image.uploaded_at, c.var.deps.config.timezone)
  return { id, file_name, is_active, uploaded, url: fileUrl(image.stored_name) }
}

async function requestedDialog(c: AppContext, account: Account): Promise<ReactElement | undefined> {
  const { upload, delete: imageId } = c.req.query()
  if (upload) return popupUploadDialog()
  if (!imageId) return undefined
  const { id, file_name, stored_name } = await getPopupImage(c.var.deps.db, account.id, imageId)
  const action = tabAction('popup-images', `/${id}/delete`)
  return <PopupDelete file_name={file_name} url={fileUrl(stored_name)} action={action} />
}

export function popupUploadDialog(message?: string): ReactElement {
  const action = tabAction('popup-images', '/upload')
  const texts = englishTexts(FILE_REFUSALS)
  return <Island name="popup-upload" props={{ action, form_key: randomToken(), message, texts }} />
}
