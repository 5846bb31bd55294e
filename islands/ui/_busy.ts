/**
 * Shows that an answer is on its way, and asks for none again until it is there. What stands in a
 * menu has closed with it: there the menu's own button shows it. The act must not throw.
 */
export async function actOnce(pressed: Element, act: () => Promise<void>): Promise<void> {
  const shown = pressed.closest('details.menu')?.querySelector('summary') ?? pressed
  if (shown.ariaBusy) return
  shown.ariaBusy = 'true'
  await act()
  shown.ariaBusy = null
}
