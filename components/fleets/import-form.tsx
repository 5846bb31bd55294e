import { DuplicateChoice, SendingTable, TemplateLink } from '#components/fleets/import-choice.tsx'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { sizeLimit } from '#components/forms/size-limit.ts'
import { ForWhom, type ForWhomProps } from '#components/people/for-whom.tsx'
import { type OnDuplicate, TABLE_FILES } from '#domain/fleets/import.ts'

export type QrImportProps = FormState &
  ForWhomProps & { template_href: string; on_duplicate: OnDuplicate }

/** Takes in a table of vehicles, to be checked first. */
export function QrImport(props: QrImportProps) {
  const { template_href, on_duplicate, owners, owner_id, ...form } = props
  return (
    <FormDialog
      {...form}
      title="Import"
      submit="Check"
      busy="Checking…"
      encType="multipart/form-data"
      data-progress
      quiet
      failed="The table could not be checked"
    >
      <p className="soft">
        Makes a QR code for each row of a table. Fill in the template in your spreadsheet and save
        it as CSV (UTF-8).
      </p>
      <div>
        <TemplateLink href={template_href} />
      </div>
      <ForWhom owners={owners} owner_id={owner_id} />
      <TextField
        label="Table"
        hint="CSV, at most 1,000 rows and 1 MB. Dates are written as 2027-03-31."
        name="file"
        type="file"
        accept={TABLE_FILES.accept}
        {...sizeLimit(TABLE_FILES)}
        required
      />
      <DuplicateChoice value={on_duplicate} />
      <SendingTable />
    </FormDialog>
  )
}
