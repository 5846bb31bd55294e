/** The page's one live region. It has to be there, empty, before the first toast is spoken. */
export function ToastRegion() {
  return <div id="toasts" className="toasts" role="status" />
}
