import { fetchNewest, SWAPPED } from '#islands/_refresh.ts'
import { merge } from '#islands/conversations/_merge.ts'

const RUNNING = '#exporting'
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
  fetchNewest(location.href).then(show).then(follow, follow)
}

/** Keeps the focus where it is. */
function show(page: Document | undefined): void {
  const [old, fresh] = [document, page].map((of) => of?.querySelector('#panel'))
  if (old && fresh) merge(old, fresh)
}

document.addEventListener(SWAPPED, follow)
follow()
