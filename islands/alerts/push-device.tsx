import { useEffect, useState } from 'react'
import { Badge } from '#components/ui/badge.tsx'
import { ApiProblem } from '#islands/_api-problem.ts'
import {
  allowDevice,
  type DeviceState,
  type KnownDevice,
  lookAtDevice,
  removeDevice,
} from '#islands/alerts/_this-device.ts'
import { showChange } from '#islands/ui/_dialog.ts'
import { showToast } from '#islands/ui/_toast.ts'

const PLACE = 'push-device'

const WORDS: Record<DeviceState, string> = {
  insecure: 'This device can get alerts only where the address begins with https://',
  'not-installed':
    'On an iPhone or iPad, first tap Share, then Add to Home Screen. Then open it from there, and this page in it.',
  unsupported:
    'This browser cannot show alerts here. Use a current Chrome, Edge, Firefox or Safari, and no private window.',
  blocked:
    'This browser blocks notifications of this site. Allow them in its settings for this site, beside the address. Then load this page again.',
  off: 'Alerts as notifications, also while this site is closed.',
  on: 'Alerts come to this device.',
}

type Props = {
  vapidKey: string
  /** the account's channels for push */
  channels: KnownDevice[]
}

/** The parts of this browser's row: the state of its alerts, and the button that changes it. */
export function PushDevice({ vapidKey, channels }: Props) {
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
      showToast(problemOf(error), 'error')
    }
    await look()
    setBusy(false)
  }

  const allow = () => act(() => allowDevice(vapidKey), 'Alerts come to this device')
  const remove = (device: string) =>
    act(() => removeDevice(device), 'Alerts do not come to this device any more')

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
      </div>
      <span className="acts needs-script">
        {(!state || state === 'off') && (
          <button
            className="btn btn-sm"
            type="button"
            disabled={busy || !state}
            aria-busy={busy}
            onClick={allow}
          >
            Allow on this device
          </button>
        )}
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
      </span>
    </>
  )
}

/** Returns the text of a failure: of the server, or of the browser's own push service. */
function problemOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'The push service of this browser cannot be reached'
  return error.message || 'The server cannot be reached. Try again.'
}
