import type { ReactElement } from 'react'
import { readTableText, type SentTable } from '#actions/fleets/import.ts'
import { QrImportCheck } from '#components/fleets/import-check.tsx'
import { QrImport } from '#components/fleets/import-form.tsx'
import type { CheckedImport } from '#db/fleets/imports.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { dialogHref, formAction, type QrPlace } from '#domain/dashboard.ts'
import type { OnDuplicate } from '#domain/fleets/import.ts'
import { ownersFor } from '#domain/people/acting.ts'

/** The first choice of the form, so that a table can be imported twice without harm. */
const FIRST_CHOICE: OnDuplicate = 'skip'

/** Asks for a table. `message` says why one was refused. */
export function importDialog(account: Account, place: QrPlace, message?: string): ReactElement {
  const form = { ...formOf(account, place), message }
  return <QrImport {...form} on_duplicate={FIRST_CHOICE} />
}

/** Renders the effect of a checked table. */
export async function checkDialog(
  account: Account,
  place: QrPlace,
  sent: SentTable,
  { check, allowed }: CheckedImport,
  { on_duplicate = FIRST_CHOICE, message }: { on_duplicate?: OnDuplicate; message?: string },
): Promise<ReactElement> {
  const table = await readTableText(sent)
  const again_href = dialogHref('import', place)
  const about = {
    table,
    form_key: sent.fields.form_key ?? randomToken(),
    owner_id: sent.fields.owner_id,
    file_name: sent.fileName,
    check,
    allowed,
    on_duplicate,
    message,
  }
  return <QrImportCheck {...formOf(account, place)} {...about} again_href={again_href} />
}

function formOf(account: Account, place: QrPlace) {
  return {
    owners: ownersFor(account, 'create'),
    action: formAction('/import', place),
    template_href: '/dashboard/qr/import/template',
  }
}
