import { Icon } from '#components/icons/icon.tsx'
import { Empty, NothingFound } from '#components/ui/empty.tsx'
import { dialogHref, FIRST_PLACE, type QrFilter, tabHref, upgradeHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'

/** Leads to the create form from the tabs over which it does not open. */
export function NoQrCodes() {
  return (
    <Empty
      icon="qr"
      title="No QR Codes Yet"
      action={
        <a className="btn btn-main" href={dialogHref('create', FIRST_PLACE)}>
          <Icon name="plus" />
          Create QR Code
        </a>
      }
    >
      <p>Make one for your keys or your windscreen. It takes about a minute.</p>
    </Empty>
  )
}

/** `href` is where the search was, without it. */
export function NoQrCodesFound({
  search,
  tries = 'a name, a number plate or a QR ID',
  href = tabHref('my-qrs'),
}: {
  search: string
  tries?: string
  href?: string
}) {
  return (
    <NothingFound what="QR codes" href={href}>
      {`Nothing matches “${search}”. Try ${tries}.`}
    </NothingFound>
  )
}

const NOTHING: Record<QrFilter | 'shared', { title: string; text: string }> = {
  due: {
    title: 'Nothing is due',
    text: 'No paper or service ends within 30 days.',
  },
  lost: { title: 'Nothing is lost', text: 'None of your QR codes is marked as lost.' },
  shared: { title: 'Nothing is shared', text: 'No code of others is shared with you now.' },
}

/** Shown in place of a filtered list without matches. */
export function NothingOf({ filter }: { filter: keyof typeof NOTHING }) {
  const { title, text } = NOTHING[filter]
  return (
    <Empty
      icon="check"
      title={title}
      action={
        <a className="btn" href={tabHref('my-qrs')}>
          Show all
        </a>
      }
    >
      <p>{text}</p>
    </Empty>
  )
}

/** The codes that a tab leaves out, said once. */
export function BlankQrCodes({ count }: { count: number }) {
  if (count === 0) return null
  const codes = count === 1 ? '1 blank QR code is' : `${formatCount(count)} blank QR codes are`
  return (
    <p className="soft">
      {`${codes} not listed here: nobody has claimed or registered ${count === 1 ? 'it' : 'them'} yet. `}
      <a href={tabHref('my-qrs')}>My QR Codes</a>
    </p>
  )
}

/** Shown on the free plan in place of gallery, sharing or analytics. */
export function PremiumUpsell({ title = 'All your papers, one swipe away' }: { title?: string }) {
  return (
    <Empty
      icon="crown"
      title={title}
      badge={<span className="badge badge-premium badge-plain">Premium feature</span>}
      action={
        <a className="btn btn-main" href={upgradeHref()} data-dialog="upgrade">
          <Icon name="crown" />
          Upgrade to Premium
        </a>
      }
    >
      <p>Gallery, analytics and sharing by email and WhatsApp come with Premium.</p>
    </Empty>
  )
}
