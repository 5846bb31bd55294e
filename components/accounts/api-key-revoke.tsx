import type { ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { settingsAction } from '#domain/settings.ts'

/** Asks before a key stops working for the programs that use it. */
export function ApiKeyRevoke({ id, name, used }: ApiKeyRow) {
  return (
    <Dialog title="Revoke this API key?" size="small" open>
      <form
        method="post"
        action={settingsAction('api-keys', `/${id}/revoke`)}
        data-enhance
        data-failed="Failed to revoke API key"
      >
        <DialogBody>
          <p>
            <b className="any-break">{name}</b> stops working at once, wherever it is used. It was{' '}
            {used}. Your codes stay as they are.
          </p>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep key</DialogCancel>
          <button className="btn btn-stop" type="submit">
            <Icon name="trash" />
            Revoke
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
