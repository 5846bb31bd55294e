import { ApiProblem } from '#islands/_api.ts'
import { keepError } from '#islands/_toast.ts'

const PANEL = 'panel'

/**
 * Asks the server for a page again and swaps the panel in, so that the server stays the only
 * truth after a change. Throws when the page cannot be had; the old panel stays.
 */
export async function refreshPanel(url: string = location.href): Promise<void> {
  const page = await swapIn(PANEL, url)
  if (!page) return
  document.title = page.title
  refreshTabs(page)
}

/** The tabs say what waits; where nothing of it has changed, they keep their place and focus. */
function refreshTabs(page: Document): void {
  const fresh = page.querySelector('.tabs')
  const old = document.querySelector('.tabs')
  if (fresh && old && fresh.innerHTML !== old.innerHTML) old.innerHTML = fresh.innerHTML
}

/**
 * Takes one element of another page in place of the same one of this page, and answers that page;
 * nothing when it led elsewhere, where the browser is now on its way to.
 */
export async function swapIn(id: string, url: string): Promise<Document | undefined> {
  const page = await fetchPage(url)
  const [fresh, old] = [page?.getElementById(id), document.getElementById(id)]
  if (page && !(fresh && old)) throw new Error('The page could not be loaded again')
  if (fresh && old) old.replaceWith(document.adoptNode(fresh))
  return page
}

/** Shows an island that stands in an element as another page has it: its state stays. */
export async function renewIsland(id: string, url: string): Promise<void> {
  const page = await fetchPage(url)
  const island = (of: Document) => of.querySelector(`#${id} drive-island`)
  const props = page && island(page)?.getAttribute('props')
  if (props) island(document)?.setAttribute('props', props)
}

async function fetchPage(url: string): Promise<Document | undefined> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  if (
    response.redirected &&
    new URL(response.url).pathname !== new URL(url, location.href).pathname
  ) {
    keepError()
    location.assign(response.url)
    return undefined
  }
  if (!response.ok) throw new ApiProblem(response.status, '')
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}
