import { useEffect, useState } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { callApi } from '#islands/_api.ts'
import { ApiProblem } from '#islands/_api-problem.ts'
import { askToInstall, canInstall } from '#islands/alerts/_installed-app.ts'
import {
  allowDevice,
  type DeviceState,
  type KnownDevice,
  lookAtDevice,
  removeDevice,
} from '#islands/alerts/_this-device.ts'
import { showChange } from '#islands/ui/_dialog.ts'
import { showResult } from '#islands/ui/_result.ts'

const PLACE = 'push-device'

const WORDS: Record<DeviceState, string> = {
  insecure: 'This device can get alerts only where the address begins with https://',
  'not-installed':
    'On an iPhone or iPad, first tap Share, then Add to Home Screen. Then open it from there, and this page in it.',
  unsupported:
    'This browser shows no alerts. Use a new Chrome, Edge, Firefox or Safari, and no private window.',
  blocked:
    'Notifications are blocked. Allow them beside the address at the top, then load this page again.',
  off: 'Alerts on this device, even while this site is closed.',
  on: 'Alerts come to this device.',
}

const INSTALL = 'Install DriveQR to open it from your home screen, with new messages counted on it.'

type Device = {
  vapidKey: string
  /** the account's channels for push */
  channels: KnownDevice[]
}
type Props = Device & {
  /** offers alerts of scans, where this browser can show them, in place of the settings of this browser */
  offer?: { hasMail: boolean }
}

/** This browser's alerts, in the settings or as an offer beside a new code. */
export function PushDevice({ offer, ...device }: Props) {
  return offer ? <ScanOffer {...device} {...offer} /> : <ThisDevice {...device} />
}

/** Keeps the state of this browser's alerts, and shows the outcome of an act that changes it. */
function useThisDevice({ vapidKey, channels }: Device) {
  const [{ state, id }, show] = useState<{ state?: DeviceState; id?: string }>({})
  const [busy, setBusy] = useState(false)

  async function look() {
    // A browser that refuses to answer, such as in a private window, does not support pushes
    // either.
    const unsupported = () => ({ state: 'unsupported' as const })
    show(await lookAtDevice(vapidKey, channels).catch(unsupported))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: new props are a new list
  useEffect(() => void look(), [vapidKey, channels])

  async function act(work: () => Promise<unknown>, done: string) {
    setBusy(true)
    try {
      if (await work()) await showChange(done, PLACE)
    } catch (error) {
      showResult(problemOf(error), 'error')
    }
    await look()
    setBusy(false)
  }
  return { state, id, busy, act }
}

/** Returns the act of the button that installs the app, once the browser offers it. */
function useInstall(): (() => Promise<void>) | undefined {
  const [isOffered, setOffered] = useState(false)
  useEffect(() => {
    const look = () => setOffered(canInstall())
    look()
    addEventListener('beforeinstallprompt', look)
    return () => removeEventListener('beforeinstallprompt', look)
  }, [])
  async function install() {
    await askToInstall()
    setOffered(false)
  }
  return isOffered ? install : undefined
}

const ALLOWED = 'Alerts come to this device'

/** The parts of this browser's row: the state of its alerts, and the button that changes it. */
function ThisDevice(device: Device) {
  const { state, id, busy, act } = useThisDevice(device)
  const install = useInstall()
  const allow = () => act(() => allowDevice(device.vapidKey), ALLOWED)
  const remove = (channel: string) =>
    act(() => removeDevice(channel), 'Alerts do not come to this device any more')

  return (
    <>
      <div className="grow" id={PLACE} tabIndex={-1}>
        <div className="row gap-2">
          <b>Push on this device</b>
          {state === 'on' && <Badge tone="go">On</Badge>}
        </div>
        <span className="small soft any-break" role="status">
          {WORDS[state ?? 'off']}
        </span>{' '}
        <noscript>
          <span className="small soft">It needs JavaScript.</span>
        </noscript>
        {install && <span className="small soft">{INSTALL}</span>}
      </div>
      <span className="acts needs-script">
        {(!state || state === 'off') && <AllowButton busy={busy} isReady={!!state} allow={allow} />}
        {id && (
          <button
            className="btn btn-sm btn-quiet"
            type="button"
            disabled={busy}
            aria-busy={busy}
            onClick={() => remove(id)}
          >
            Remove
          </button>
        )}
        {install && (
          <button className="btn btn-sm" type="button" onClick={install}>
            Install
          </button>
        )}
      </span>
    </>
  )
}

/** Nothing where this browser cannot show alerts; a refusal of the user is answered in the row. */
function ScanOffer({ hasMail, ...device }: Device & { hasMail: boolean }) {
  const { state, busy, act } = useThisDevice(device)
  const [isPressed, setPressed] = useState(false)
  const canAllow = state === 'off' || state === 'on'
  if (!canAllow && !isPressed) return null
  function allow() {
    setPressed(true)
    return act(async () => {
      if (state === 'off' && !(await allowDevice(device.vapidKey))) return false
      await callApi('PUT', '/notifications/settings', { events: { scan: { push: true } } })
      return true
    }, ALLOWED)
  }
  const byMail = hasMail ? ' Messages also come by e-mail.' : ''
  return (
    <>
      <span className="avatar">
        <Icon name="bell" />
      </span>
      <div className="grow" id={PLACE} tabIndex={-1}>
        <b>Tell me when somebody scans</b>
        <br />
        <span className="small soft" role="status">
          {canAllow ? `On this device, at once.${byMail}` : WORDS[state ?? 'off']}
        </span>
      </div>
      {canAllow && (
        <span className="acts">
          <AllowButton busy={busy} isReady allow={allow} />
        </span>
      )}
    </>
  )
}

type AllowButtonProps = { busy: boolean; isReady: boolean; allow: () => void }

function AllowButton({ busy, isReady, allow }: AllowButtonProps) {
  return (
    <button
      className="btn btn-sm"
      type="button"
      disabled={busy || !isReady}
      aria-busy={busy}
      onClick={allow}
    >
      Allow on this device
    </button>
  )
}

/** Returns the text of a failure: of the server, or of the browser's own push service. */
function problemOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'This browser’s alert service does not answer'
  return error.message || 'No connection. Try again.'
}
