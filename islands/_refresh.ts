const PANEL = 'panel'

/**
 * Asks the server for a page again and swaps the panel in, so that the server stays the only
 * truth after a change. Throws when the page cannot be had; the old panel stays.
 */
export async function refreshPanel(url: string = location.href): Promise<void> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  if (
    response.redirected &&
    new URL(response.url).pathname !== new URL(url, location.href).pathname
  ) {
    location.assign(response.url)
    return
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = page.getElementById(PANEL)
  const old = document.getElementById(PANEL)
  if (!response.ok || !fresh || !old) throw new Error('The page could not be loaded again')
  old.replaceWith(document.adoptNode(fresh))
  document.title = page.title
}
