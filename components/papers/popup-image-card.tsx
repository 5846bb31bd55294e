import { DeleteLink } from '#components/forms/ask-dialog.tsx'
import { ActiveBadge } from '#components/ui/badge.tsx'
import { ThumbImage } from '#components/ui/thumb.tsx'

export type PopupImageCardView = {
  id: string
  file_name: string
  url: string
  is_active: boolean
  /** the date as it is shown */
  uploaded: string
  /** the action of the form that shows or hides it */
  toggle: string
  delete_href: string
}

/** A picture that finders see first, or would. */
export function PopupImageCard({ view }: { view: PopupImageCardView }) {
  const { id, file_name, url, is_active, uploaded, toggle, delete_href } = view
  return (
    <article className="card" aria-label={file_name}>
      <div className="thumb thumb-whole">
        <ThumbImage src={url} alt={file_name} />
      </div>
      <div className="row">
        <h2 className="text-md any-break" id={`image-${id}`} tabIndex={-1}>
          {file_name}
        </h2>
        <span className="push" />
        <ActiveBadge active={is_active} />
      </div>
      <p className="small soft">{`Uploaded ${uploaded}`}</p>
      <div className="row">
        <form
          method="post"
          action={toggle}
          data-enhance
          data-failed="Failed to toggle image status"
        >
          <input type="hidden" name="is_active" value={String(!is_active)} />
          <button className="btn btn-sm" id={`toggle-${id}`} type="submit">
            {is_active ? 'Deactivate' : 'Activate'}
            <span className="vh">{` ${file_name}`}</span>
          </button>
        </form>
        <DeleteLink href={delete_href} name={file_name} gone="Image not found" />
      </div>
    </article>
  )
}
