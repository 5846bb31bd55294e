import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { CodeHeading, type CodeHeadingView } from '#components/papers/code-heading.tsx'

type DocumentPublishProps = {
  title: `${string}?`
  submit: string
  /** the code, where its documents are named without it */
  code?: CodeHeadingView
  /** the documents that become public, with the personal data on them */
  papers: { id: string; name: string; icon: IconName; warning: string | undefined }[]
  /** the names of those that are public already */
  open?: string[]
  /** what else the page says */
  hint?: string
  action: string
}

/** Asks before strangers can open documents, and names them. */
export function DocumentPublish(props: DocumentPublishProps) {
  const { title, submit, code, papers, open = [], hint, action } = props
  return (
    <AskDialog
      title={title}
      act={submit}
      tone="main"
      keep="Keep private"
      action={action}
      failed="Failed to update document"
    >
      <input type="hidden" name="is_public" value="true" />
      <input type="hidden" name="among" value={papers.map(({ id }) => id).join(' ')} />
      {code && (
        <p className="row">
          <CodeHeading view={code} as="b" />
        </p>
      )}
      <p>
        {`Anyone who scans the code can then open ${papers.length === 1 ? 'it' : 'them'}, not only the police. No login is asked for.`}
      </p>
      <div className="stack gap-2">
        <h3 className="text-md">
          {papers.length === 1 ? 'This becomes public' : `These ${papers.length} become public`}
        </h3>
        <ul className="stack gap-2">
          {papers.map(({ id, name, icon, warning }) => (
            <li className="row nowrap top" key={id}>
              <Icon name={icon} />
              <span>
                {name}
                {warning && <small className="block soft">{warning}</small>}
              </span>
            </li>
          ))}
        </ul>
      </div>
      {open.length > 0 && <p className="small soft">{`Public already: ${open.join('; ')}.`}</p>}
      {hint && <p className="small soft">{hint}</p>}
    </AskDialog>
  )
}
