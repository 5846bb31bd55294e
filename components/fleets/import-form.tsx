import { DuplicateChoice, SendingTable, TemplateLink } from '#components/fleets/import-choice.tsx'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { type OnDuplicate, TABLE_FILES } from '#domain/fleets/import.ts'

export type QrImportProps = {
  action: string
  template_href: string
  on_duplicate: OnDuplicate
  /** why the table was refused */
  message?: string | undefined
}

/** Takes in a table of vehicles, to be checked first. */
export function QrImport({ action, template_href, on_duplicate, message }: QrImportProps) {
  return (
    <FormDialog
      title="Import"
      submit="Check"
      busy="Checking…"
      action={action}
      encType="multipart/form-data"
      data-progress
      quiet
      failed="The table could not be checked"
    >
      <Outcome text={message} isRefused />
      <p className="soft">
        Makes a QR code for each row of a table. Fill in the template in your spreadsheet and save
        it as CSV (UTF-8).
      </p>
      <div>
        <TemplateLink href={template_href} />
      </div>
      <TextField
        label="Table"
        hint="CSV, at most 1,000 rows and 1 MB. Dates are written as 2027-03-31."
        name="file"
        type="file"
        accept={TABLE_FILES.accept}
        required
      />
      <DuplicateChoice value={on_duplicate} />
      <SendingTable />
    </FormDialog>
  )
}
