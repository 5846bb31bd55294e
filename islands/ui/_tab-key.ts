/**
 * Shows all of what the Tab key has reached. Browsers leave alone what is seen in part, such as a tab whose
 * first letters are beyond the edge, and a field behind the buttons of its dialog.
 */
export function watchTabKey(): void {
  document.addEventListener('keyup', ({ key }) => {
    if (key !== 'Tab') return
    document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
}
