import type { ComponentType } from 'react'
import { signInCode } from '#islands/_address.ts'
import { RELEASED, watchForms } from '#islands/_forms.ts'
import type { DrawnIsland, hydrate } from '#islands/_hydrate.tsx'
import type { IslandName } from '#islands/_islands.ts'
import { watchPasskeys } from '#islands/accounts/_passkeys.ts'
import { keepInstallOffer, watchNetwork } from '#islands/alerts/_installed-app.ts'
import { watchDownloads } from '#islands/codes/_downloads.ts'
import { watchSharing } from '#islands/codes/_sharing.ts'
import { watchImages } from '#islands/papers/_missing-images.ts'
import { watchPromoNotice } from '#islands/plans/_promo-notices.ts'
import { watchCapitals } from '#islands/ui/_capitals.ts'
import { watchChosenFiles } from '#islands/ui/_chosen-files.ts'
import { watchCopying } from '#islands/ui/_copy.ts'
import { makeModal, makePlainModal, watchDialogs } from '#islands/ui/_dialog.ts'
import { watchMenus } from '#islands/ui/_menus.ts'
import { watchPeeking } from '#islands/ui/_peek.ts'
import { watchPrinting } from '#islands/ui/_print.ts'
import { watchResults } from '#islands/ui/_result.ts'
import { watchTabKey } from '#islands/ui/_tab-key.ts'

/** Listeners that only some pages need: an element of theirs names them (`data-script`). */
const scripts: Record<string, () => Promise<unknown>> = {
  brand: () => import('#islands/brands/_brand.ts'),
  login: () => import('#islands/accounts/_login.ts'),
  password: () => import('#islands/accounts/_password.ts'),
  decisions: () => import('#islands/admin/_decisions.ts'),
  exporting: () => import('#islands/accounts/_exporting.ts'),
  exports: () => import('#islands/admin/_exports.ts'),
  matrix: () => import('#islands/alerts/_matrix.ts'),
  order: () => import('#islands/alerts/_order.ts'),
  selection: () => import('#islands/fleets/_selection.ts'),
}

async function loaded(): Promise<void> {
  if (document.readyState === 'complete') return
  await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
}

/** Watches for messages on pages that show them, once everything else of the page has loaded. */
async function watchArrivals(): Promise<void> {
  if (!document.querySelector('.tabs-bar a[href$="tab=messages"], [data-live]')) return
  await loaded()
  await import('#islands/conversations/_live.ts')
}

/** Keeps half-typed text, once everything else of the page has loaded. */
async function watchDrafts(): Promise<void> {
  if (!document.body.dataset.account) return
  await loaded()
  await import('#islands/ui/_drafts.ts')
}

/** Replaces a subscription for alerts that the browser has lost (`_kept-device.ts`). */
async function watchDevice(): Promise<void> {
  if (!localStorage.getItem('driveqr_push') || !document.querySelector('form[action="/logout"]'))
    return
  await (await import('#islands/alerts/_kept-device.ts')).renewDevice()
}

/** One file an island, besides the one with React: on a slow line each costs a round trip. */
const islands: Record<IslandName, () => Promise<unknown>> = {
  'child-form': () => import('#islands/families/child-form.tsx'),
  'claim-form': () => import('#islands/codes/claim-form.tsx'),
  'document-upload': () => import('#islands/papers/document-upload.tsx'),
  'popup-upload': () => import('#islands/papers/popup-upload.tsx'),
  'push-device': () => import('#islands/alerts/push-device.tsx'),
  'qr-form': () => import('#islands/codes/qr-form.tsx'),
  'qr-labels': () => import('#islands/codes/qr-labels.tsx'),
  'reset-form': () => import('#islands/accounts/reset-form.tsx'),
  'upgrade-screenshot': () => import('#islands/plans/upgrade-screenshot.tsx'),
}
/** An island's script as the build makes it, so that React comes in the same round trip. */
type IslandScript = { hydrate: typeof hydrate; Component: ComponentType<object> }

/**
 * The browser half of an island. As a custom element it hydrates itself wherever it appears, in
 * the first page or in HTML that was swapped in later, and unmounts when it is taken out. React
 * is loaded with the first island: a page without one needs none.
 */
class DriveIsland extends HTMLElement {
  static observedAttributes = ['props']
  #drawn: DrawnIsland | undefined

  async connectedCallback() {
    holdDialog(this)
    const { props: drawn } = this
    const load = islands[this.getAttribute('name') as IslandName]
    const script = load().catch((error) => {
      leavePlain(this)
      throw error
    })
    const { hydrate, Component } = (await script) as IslandScript
    await formsAnswered(this)
    if (!this.isConnected || this.#drawn) return
    this.addEventListener('ready', () => drawn === this.props || this.#drawn?.draw(), {
      once: true,
    })
    this.#drawn = hydrate(this, Component, drawn)
  }

  get props(): string {
    return this.getAttribute('props') ?? '{}'
  }

  /** Shows the server's new props; typed and chosen values in the island stay. */
  attributeChangedCallback() {
    if (this.hasAttribute('ready')) this.#drawn?.draw()
  }

  disconnectedCallback() {
    this.#drawn?.unmount()
    this.#drawn = undefined
  }
}

/** A form that is on its way is drawn otherwise than the server did, until its answer is there. */
async function formsAnswered(island: HTMLElement): Promise<void> {
  const form = island.querySelector('form[aria-busy="true"]')
  if (form) await new Promise((resolve) => form.addEventListener(RELEASED, resolve, { once: true }))
}

/** Reloads a page that the browser has kept, which would still show an account after its logout. */
function reloadKeptPage({ persisted }: PageTransitionEvent): void {
  if (persisted && document.querySelector('form[action="/logout"]')) location.reload()
}

/** A dialog is modal at once; what closes it before its handlers are there waits for them. */
function holdDialog(island: HTMLElement): void {
  const dialog = island.querySelector('dialog')
  if (!dialog?.open) return
  makeModal(dialog)
  function hold(event: Event) {
    if (event.type === 'submit' && (event.target as HTMLFormElement).method !== 'dialog') return
    event.preventDefault()
    const again = () => dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))
    island.addEventListener('ready', again, { once: true })
  }
  const closing = ['cancel', 'submit']
  for (const type of closing) dialog.addEventListener(type, hold)
  function release() {
    for (const type of closing) dialog?.removeEventListener(type, hold)
  }
  island.addEventListener('ready', release, { once: true })
}

/** Leaves an island without its script, which cannot be loaded: its forms work without one. */
function leavePlain(island: HTMLElement): void {
  island.toggleAttribute('data-plain', true)
  makePlainModal()
  // For scripts that wait for the island in the dialog.
  island.dispatchEvent(new Event('ready'))
}

/** The page asks for its scripts as well, so that they arrive together with this one. */
async function loadScripts(): Promise<void> {
  const elements = document.querySelectorAll<HTMLElement>('[data-script]')
  const names = [...elements].map(({ dataset }) => dataset.script ?? '')
  // A sign-in elsewhere may end on any page.
  if (signInCode()) names.push('login')
  await Promise.all(names.map((name) => scripts[name]?.()))
}

/** A module may run before the style sheet is there (WebKit), when nothing has its size yet. */
function whenStyled(act: () => void): void {
  const sheet = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
  if (sheet && !sheet.sheet) sheet.addEventListener('load', act, { once: true })
  else act()
}

/** On a phone the bar of tabs is longer than the screen. It scrolls by itself, the page does not. */
function showCurrentTab(): void {
  const current = document.querySelector<HTMLElement>('.tabs-bar [aria-current]')
  const bar = current?.closest('.tabs')
  if (!current || !bar) return
  const middle = (bar.clientWidth - current.offsetWidth) / 2
  const [from, to] = [bar.getBoundingClientRect().left, current.getBoundingClientRect().left]
  bar.scrollLeft += to - from - middle
}

watchDialogs()
// Before the forms, which wait for the passkey.
watchPasskeys()
watchForms()
watchMenus()
watchTabKey()
watchImages()
watchDownloads()
watchSharing()
watchCapitals()
watchChosenFiles()
watchCopying()
watchPeeking()
watchPrinting()
watchPromoNotice()
void watchArrivals()
void watchDrafts()
void watchDevice()
watchNetwork()
keepInstallOffer()
addEventListener('pageshow', reloadKeptPage)
customElements.define('drive-island', DriveIsland)
watchResults()
whenStyled(showCurrentTab)
void loadScripts().then(() => document.documentElement.toggleAttribute('data-ready', true))
