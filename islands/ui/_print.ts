import { listen } from '#islands/_listen.ts'

export function watchPrinting(): void {
  listen('click', '[data-action="print"]', () => print())
}
