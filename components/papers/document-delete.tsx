import { AskDialog } from '#components/forms/ask-dialog.tsx'

type DocumentDeleteProps = {
  name: string
  file_name: string
  is_public: boolean
  action: string
}

/** Asks before a document is deleted for good, and lists everything that is deleted with it. */
export function DocumentDelete({ name, file_name, is_public, action }: DocumentDeleteProps) {
  return (
    <AskDialog
      title="Delete this document?"
      keep="Keep Document"
      action={action}
      failed="Failed to delete document"
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
    </AskDialog>
  )
}
