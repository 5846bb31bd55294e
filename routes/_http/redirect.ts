/** Thrown by what renders a part of a page, when the page is to be found elsewhere. */
export class Redirect extends Error {
  readonly href: string

  constructor(href: string) {
    super('redirect')
    this.href = href
  }
}
