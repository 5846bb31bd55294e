import { type ComponentType, type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'

/** A React root on an island's element. `draw` shows the props that the element has now. */
export type DrawnIsland = { draw(): void; unmount(): void }

/** Hydrates an element with the `props` that the server rendered it with. */
export function hydrate(
  island: HTMLElement,
  Component: ComponentType<object>,
  props: string,
): DrawnIsland {
  const options = {
    identifierPrefix: island.getAttribute('prefix') ?? '',
    // To React it is an error that an island is taken out before it has hydrated.
    onRecoverableError: (error: unknown) => {
      if (island.isConnected) reportError(error)
    },
  }
  const tree = (props = island.getAttribute('props') ?? '{}') => (
    <Hydrated island={island}>
      <Component {...JSON.parse(props)} />
    </Hydrated>
  )
  const root = island.hasChildNodes() ? hydrateRoot(island, tree(props), options) : fresh()
  // Unmounting empties the element: one that was taken out and put back starts afresh.
  function fresh(): Root {
    const root = createRoot(island, options)
    root.render(tree())
    return root
  }
  return { draw: () => flushSync(() => root.render(tree())), unmount: () => root.unmount() }
}

/** Marks the element when its handlers are in place: before that a click would be lost. */
function Hydrated({ island, children }: { island: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    island.setAttribute('ready', '')
    island.dispatchEvent(new Event('ready'))
  }, [island])
  return children
}
