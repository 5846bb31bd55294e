import { Empty } from '#components/empty.tsx'
import { Icon } from '#components/icon.tsx'
import { dialogHref, FIRST_PLACE, tabHref, upgradeHref } from '#domain/dashboard.ts'

export function NoQrCodes() {
  return (
    <Empty
      icon="qr"
      title="No QR Codes Yet"
      action={
        <a className="btn btn-main" href={dialogHref('create', FIRST_PLACE)} data-dialog="create">
          <Icon name="plus" />
          Create QR Code
        </a>
      }
    >
      <p>Make one for your keys or your windscreen. It takes about a minute.</p>
    </Empty>
  )
}

export function NoQrCodesFound({ search }: { search: string }) {
  return (
    <Empty
      icon="search"
      title="No QR codes found"
      action={
        <a className="btn" href={tabHref('my-qrs')}>
          Clear Search
        </a>
      }
    >
      <p>{`Nothing matches “${search}”. Try a name, a number plate or a QR ID.`}</p>
    </Empty>
  )
}

/** What the free plan sees where gallery, sharing or analytics would be. */
export function PremiumUpsell() {
  const upgrade = upgradeHref('free')
  return (
    <Empty
      icon="crown"
      title="All your papers, one swipe away"
      badge={<span className="badge badge-premium badge-plain">Premium feature</span>}
      action={
        upgrade && (
          <a className="btn btn-main" href={upgrade} data-dialog="upgrade">
            <Icon name="crown" />
            Upgrade to Premium
          </a>
        )
      }
    >
      <p>
        The document gallery, email and WhatsApp sharing and the analytics dashboard come with
        Premium.
      </p>
    </Empty>
  )
}
