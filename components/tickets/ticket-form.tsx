import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { sizeLimit } from '#components/forms/size-limit.ts'
import { Icon } from '#components/icons/icon.tsx'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import { settingsHref } from '#domain/settings.ts'
import { TICKET_LENGTHS } from '#domain/tickets/ticket.ts'

/** The problem of a ticket's form, and its field. */
export type FormProblem = { field: 'subject' | 'text' | 'attachment'; message: string }

type NewTicketProps = {
  back: string | undefined
  typed?: Record<string, string>
  problem?: FormProblem | undefined
}

/** A customer begins a ticket. */
export function NewTicket({ back, typed = {}, problem }: NewTicketProps) {
  const problemOf = (field: FormProblem['field']) =>
    problem?.field === field ? problem.message : undefined
  return (
    <section className="sheet" aria-labelledby="new-ticket">
      {back && (
        <a className="back-link" href={back}>
          <Icon name="back" />
          All tickets
        </a>
      )}
      <h2 id="new-ticket">New ticket</h2>
      <form
        className="stack gap-3"
        method="post"
        action={settingsHref('support')}
        encType="multipart/form-data"
        data-enhance
        data-keep="ticket"
      >
        <TextField
          id="subject"
          label="Subject"
          name="subject"
          maxLength={TICKET_LENGTHS.subject}
          defaultValue={typed.subject}
          error={problemOf('subject')}
          required
          data-draft
        />
        <TextAreaField
          id="text"
          label="What is it about?"
          name="text"
          rows={6}
          maxLength={TICKET_LENGTHS.text}
          defaultValue={typed.text}
          error={problemOf('text')}
          required
          data-draft
        />
        <AttachmentField problem={problem} />
        <div className="save">
          <button className="btn btn-main" type="submit" id="send" data-busy="Sending…">
            <Icon name="send" />
            Open ticket
          </button>
        </div>
      </form>
    </section>
  )
}

/** The file of a message, which need not have one. */
export function AttachmentField({ problem }: { problem: FormProblem | undefined }) {
  return (
    <TextField
      id="attachment"
      label="Attach a file"
      optional
      hint="PDF, JPG or PNG, max 10 MB"
      type="file"
      name="attachment"
      accept={DOCUMENT_FILES.accept}
      {...sizeLimit(DOCUMENT_FILES)}
      error={problem?.field === 'attachment' ? problem.message : undefined}
    />
  )
}
