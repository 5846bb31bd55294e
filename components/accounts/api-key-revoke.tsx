import type { ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { settingsAction } from '#domain/settings.ts'

/** Asks before a key stops working for the programs that use it. */
export function ApiKeyRevoke({ id, name, used }: ApiKeyRow) {
  return (
    <AskDialog
      title="Revoke this API key?"
      keep="Keep key"
      act="Revoke"
      action={settingsAction('api-keys', `/${id}/revoke`)}
      failed="Failed to revoke API key"
    >
      <p>
        <b className="any-break">{name}</b> stops working at once, wherever it is used. It was{' '}
        {used}. Your codes stay as they are.
      </p>
    </AskDialog>
  )
}
