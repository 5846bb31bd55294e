/**
 * Marks a button as busy and ignores it until `act` has ended, which must not throw. A menu closes on
 * a click, so that its own button is marked for a button inside it.
 */
export async function actOnce(pressed: Element, act: () => Promise<void>): Promise<void> {
  const shown = pressed.closest('details.menu')?.querySelector('summary') ?? pressed
  if (shown.ariaBusy) return
  shown.ariaBusy = 'true'
  await act()
  shown.ariaBusy = null
}
