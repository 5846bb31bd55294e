import { Icon } from '#components/icons/icon.tsx'
import { OwnRequest } from '#components/plans/upgrade-card.tsx'
import { type UpgradeDetailsView, UpgradeFacts } from '#components/plans/upgrade-facts.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/ui/dialog.tsx'
import { managementHref } from '#domain/admin/management.ts'

/** All that is known of a request; while it waits, with the ways to decide it. */
export function UpgradeDetails({ view }: { view: UpgradeDetailsView }) {
  const { id, status, is_own } = view
  return (
    <Dialog title="Upgrade Request Details" open>
      <DialogBody>
        <UpgradeFacts view={view} />
        {status === 'pending' && is_own && <OwnRequest />}
      </DialogBody>
      {status === 'pending' && !is_own && (
        <DialogFoot>
          <a
            className="btn"
            href={managementHref('upgrade-requests', { reject: id })}
            data-dialog="reject"
          >
            Reject Request
          </a>
          <a
            className="btn btn-go"
            href={managementHref('upgrade-requests', { approve: id })}
            data-dialog="approve"
          >
            <Icon name="check" />
            Approve Upgrade
          </a>
        </DialogFoot>
      )}
    </Dialog>
  )
}
