import { type DragEvent, type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react'
import { leaveDialog, makeModal } from '#islands/ui/_dialog.ts'

/**
 * Makes an island's dialog modal. Escape, the close button and a phone's back gesture all call
 * `leave`, which may refuse. `_dialog.ts` closes dialogs without an island.
 */
export function useModal(leave: () => void = leaveDialog) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    // Escape before this effect has already taken it away.
    if (ref.current?.isConnected) makeModal(ref.current)
  }, [])
  function ask(event: SyntheticEvent) {
    event.preventDefault()
    leave()
  }
  return {
    ref,
    open: true,
    onDragOver: keepPage,
    onDrop: keepPage,
    // A file that was not chosen is called off too, inside of the dialog.
    onCancel: (event: SyntheticEvent) => event.target === event.currentTarget && ask(event),
    onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && ask(event),
    onSubmit: (event: SyntheticEvent) =>
      (event.target as HTMLFormElement).method === 'dialog' && ask(event),
  }
}

/** Browsers open a file that is dropped beside its place, which would lose typed text. */
function keepPage(event: DragEvent): void {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}
