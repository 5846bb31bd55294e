/** Goes on once there was time to read; until then, and while the page is on its way, it waits. */
export function leaveAfter(milliseconds: number, url: string): Promise<never> {
  setTimeout(() => location.replace(url), milliseconds)
  return new Promise(() => {})
}
