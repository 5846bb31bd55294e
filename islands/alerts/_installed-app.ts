/** The offer of Chromium to install the app; other browsers make none. */
type InstallOffer = Event & { prompt(): Promise<unknown> }

const ANSWERED = 'driveqr_install'

let offer: InstallOffer | undefined

/** Registers the worker in the installed app, which has no browser around it to say that there is no network. */
export function watchNetwork(): void {
  if (matchMedia('(display-mode: standalone)').matches) {
    void navigator.serviceWorker?.register('/sw.js')
  }
}

/** Keeps the browser's offer to install the app for the button in Settings, in place of the browser's own banner. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer = event as InstallOffer
  })
}

/** Returns whether the app can be installed, and nobody has answered that on this device yet. */
export function canInstall(): boolean {
  return offer !== undefined && localStorage.getItem(ANSWERED) === null
}

/** Asks whether to install the app. Either answer is the last one on this device. */
export async function askToInstall(): Promise<void> {
  await offer?.prompt()
  localStorage.setItem(ANSWERED, '1')
}
