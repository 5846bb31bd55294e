/** Registers the worker in the installed app, which has no browser around it to say that there is no network. */
export function watchNetwork(): void {
  if (matchMedia('(display-mode: standalone)').matches) {
    void navigator.serviceWorker?.register('/sw.js')
  }
}
