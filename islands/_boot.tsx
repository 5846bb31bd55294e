import { type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { type LoadIsland, registry } from '#islands/_registry.ts'
import { showKeptToast } from '#islands/_toast.ts'

/**
 * The browser half of an island. As a custom element it hydrates itself wherever it appears, in
 * the first page or in HTML that was swapped in later, and unmounts when it is taken out.
 */
class DriveIsland extends HTMLElement {
  static observedAttributes = ['props']
  #root: Root | undefined
  #draw: (() => ReactNode) | undefined

  async connectedCallback() {
    holdDialog(this)
    const load = registry[this.getAttribute('name') as keyof typeof registry] as LoadIsland
    const Component = await load()
    if (!this.isConnected || this.#root) return
    const options = { identifierPrefix: this.getAttribute('prefix') ?? '' }
    this.#draw = () => (
      <Hydrated island={this}>
        <Component {...JSON.parse(this.getAttribute('props') ?? '{}')} />
      </Hydrated>
    )
    // Unmounting empties the element: one that was taken out and put back starts afresh.
    if (this.hasChildNodes()) this.#root = hydrateRoot(this, this.#draw(), options)
    else {
      this.#root = createRoot(this, options)
      this.#root.render(this.#draw())
    }
  }

  /** What the server says now is shown; what was typed or chosen in the island stays. */
  attributeChangedCallback() {
    const tree = this.#draw?.()
    if (tree) flushSync(() => this.#root?.render(tree))
  }

  disconnectedCallback() {
    this.#root?.unmount()
    this.#root = undefined
  }
}

/** Marks the element when its handlers are in place: before that a click would be lost. */
function Hydrated({ island, children }: { island: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    island.setAttribute('ready', '')
    island.dispatchEvent(new Event('ready'))
  }, [island])
  return children
}

/** A dialog is modal at once; an Escape that comes before its handlers do waits for them. */
function holdDialog(island: HTMLElement): void {
  const dialog = island.querySelector('dialog')
  if (!dialog?.open) return
  dialog.removeAttribute('open')
  dialog.showModal()
  function hold(event: Event) {
    event.preventDefault()
    const again = () => dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))
    island.addEventListener('ready', again, { once: true })
  }
  dialog.addEventListener('cancel', hold, { once: true })
  island.addEventListener('ready', () => dialog.removeEventListener('cancel', hold), { once: true })
}

/** On a phone the bar of tabs is longer than the screen, and begins at its start. */
function showCurrentTab(): void {
  const current = document.querySelector('.tabs-bar [aria-current]')
  current?.scrollIntoView({ inline: 'center', block: 'nearest' })
}

customElements.define('drive-island', DriveIsland)
showKeptToast()
if (location.hash.startsWith('#session_id=')) {
  import('#islands/_sign-in-code.ts').then((module) => module.exchangeSignInCode())
}
showCurrentTab()
