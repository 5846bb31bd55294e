/**
 * Scrolls an element that the Tab key has reached into full view. Browsers do not move one that is
 * partly visible, such as a tab whose first letters are beyond the edge, or a field behind the
 * buttons of its dialog.
 */
export function watchTabKey(): void {
  document.addEventListener('keyup', ({ key }) => {
    if (key !== 'Tab') return
    document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
}
