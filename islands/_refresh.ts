const PANEL = 'panel'

/**
 * Asks the server for a page again and swaps the panel in, so that the server stays the only
 * truth after a change. Throws when the page cannot be had; the old panel stays.
 */
export async function refreshPanel(url: string = location.href): Promise<void> {
  const page = await swapIn(PANEL, url)
  if (page) document.title = page.title
}

/**
 * Takes one element of another page in place of the same one of this page, and answers that page;
 * nothing when it led elsewhere, where the browser is now on its way to.
 */
export async function swapIn(id: string, url: string): Promise<Document | undefined> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  if (
    response.redirected &&
    new URL(response.url).pathname !== new URL(url, location.href).pathname
  ) {
    location.assign(response.url)
    return undefined
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = page.getElementById(id)
  const old = document.getElementById(id)
  if (!response.ok || !fresh || !old) throw new Error('The page could not be loaded again')
  old.replaceWith(document.adoptNode(fresh))
  return page
}
