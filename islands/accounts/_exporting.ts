import { refreshPanel, SWAPPED } from '#islands/_refresh.ts'

const RUNNING = '[data-script="exporting"]'
const LOOK_EVERY_MS = 1500

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows how far an export is, until it is done. A page in the background waits until it is seen. */
function follow(): void {
  clearTimeout(timer)
  if (!document.querySelector(RUNNING)) return
  timer = setTimeout(() => (document.hidden ? follow() : look()), LOOK_EVERY_MS)
}

/** A page that cannot be had is asked for again. */
function look(): void {
  refreshPanel().then(undefined, follow)
}

document.addEventListener(SWAPPED, follow)
follow()
