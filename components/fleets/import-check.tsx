import { DuplicateChoice, SendingTable, TemplateLink } from '#components/fleets/import-choice.tsx'
import type { QrImportProps } from '#components/fleets/import-form.tsx'
import { ImportRefusals, ImportRows, ImportTally } from '#components/fleets/import-parts.tsx'
import { HiddenFields } from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { ForWhom } from '#components/people/for-whom.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { countOfCodes } from '#domain/fleets/bulk.ts'
import type { ImportCheck } from '#domain/fleets/import-check.ts'
import { counted } from '#domain/number.ts'
import { formatBytes } from '#domain/size.ts'

type QrImportCheckProps = QrImportProps & {
  check: ImportCheck
  allowed: number | null
  file_name: string
  /** the table itself, which is sent again to be imported */
  table: string
  /** tells that the form is sent again from another one */
  form_key: string
  again_href: string
}

/** The effect of a checked table. Nothing has changed yet. */
export function QrImportCheck(props: QrImportCheckProps) {
  const { check, allowed, file_name, table, form_key, again_href, action, template_href } = props
  const { rows, created, updated, errors } = check
  const isRefused = errors.length > 0 || (allowed !== null && created > allowed)
  return (
    <Dialog title="Import" size="large" open>
      <form
        method="post"
        action={action}
        encType="multipart/form-data"
        data-enhance
        data-progress
        data-quiet
        data-failed="The table could not be imported"
      >
        <HiddenFields fields={{ file_name, table, form_key }} />
        <Refusal>{props.message}</Refusal>
        <DialogBody>
          <div className="row between">
            <div className="stack gap-0">
              <b className="any-break">{file_name}</b>
              <span className="small soft">
                {`${counted(rows, 'row')}, ${formatBytes(table.length)} · checked, nothing is made yet`}
              </span>
            </div>
            <span className="row gap-2">
              <TemplateLink href={template_href} />
              <a className="btn btn-sm" href={again_href} data-dialog="import">
                <Icon name="table" />
                Choose another file
              </a>
            </span>
          </div>
          <ImportTally check={check} allowed={allowed} />
          <ImportRefusals check={check} allowed={allowed} />
          <ForWhom owners={props.owners} owner_id={props.owner_id} />
          <DuplicateChoice value={props.on_duplicate} isChecked />
          <button className="btn btn-sm without-script" type="submit">
            Check again
          </button>
          <ImportRows check={check} />
          <SendingTable />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            name="confirm"
            value="1"
            data-busy="Importing…"
            disabled={isRefused || created + updated === 0}
          >
            {created > 0 || updated === 0
              ? `Import ${countOfCodes(created)}`
              : `Update ${countOfCodes(updated)}`}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
