import { isGone } from '#islands/_api.ts'
import { DeleteDialog } from '#islands/_delete-dialog.tsx'

type DocumentDeleteProps = {
  id: string
  name: string
  file_name: string
  is_public: boolean
  action: string
}

/** Asks before a document goes for good, and lists what goes with it. */
export function DocumentDelete({ id, name, file_name, is_public, action }: DocumentDeleteProps) {
  return (
    <DeleteDialog
      title="Delete this document?"
      keep="Keep Document"
      action={action}
      call={{ method: 'DELETE', path: `/documents/${id}`, label: 'Delete' }}
      done="Document deleted successfully!"
      failed={(error) => (isGone(error) ? 'Document not found' : 'Failed to delete document')}
    >
      <p>
        <b>{name}</b>
      </p>
      <p>This removes, for good:</p>
      <ul>
        <li>{`the file ${file_name}`}</li>
        {is_public && <li>its place in the police view</li>}
        <li>all links by which you shared it</li>
      </ul>
    </DeleteDialog>
  )
}
