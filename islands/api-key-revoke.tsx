import type { ApiKeyRow } from '#components/api-key-list.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { apiKeyAction, apiKeyHref } from '#domain/dashboard.ts'
import { callApi } from '#islands/_api.ts'
import { openDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { useSubmit } from '#islands/_submit.ts'
import { showToast } from '#islands/_toast.ts'

/** Asks before a key stops working for whoever uses it. */
export function ApiKeyRevoke({ id, name, used }: ApiKeyRow) {
  const modal = useModal()
  const submitting = useSubmit(
    {
      main: {
        check: () => undefined,
        send: async () => {
          await callApi('DELETE', `/api-keys/${id}`)
          await openDialog(apiKeyHref())
          showToast('API key revoked')
        },
        fallback: 'Failed to revoke API key',
      },
    },
    undefined,
  )
  return (
    <Dialog title="Revoke this API key?" size="small" {...modal}>
      <form
        method="post"
        action={apiKeyAction(`/${id}/revoke`)}
        ref={submitting.form}
        onSubmit={submitting.onSubmit}
      >
        <DialogBody>
          <p>
            <b className="any-break">{name}</b> stops working at once, wherever it is used. It was{' '}
            {used}. Your codes stay as they are.
          </p>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep key</DialogCancel>
          <button
            className="btn btn-stop"
            type="submit"
            disabled={submitting.busy !== undefined}
            aria-busy={submitting.busy !== undefined}
          >
            <Icon name="trash" />
            Revoke
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
