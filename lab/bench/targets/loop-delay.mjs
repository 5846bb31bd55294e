/** Loaded before the server: reports the longest delay of its event loop on request. */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE, String(delays.max / 1e6))
  // Resets it later, so that the next report does not include the time of this one.
  setTimeout(() => delays.reset(), 10)
})
