/** Thrown while a part of a page is rendered, to redirect to another page. */
export class Redirect extends Error {
  readonly href: string

  constructor(href: string) {
    super('redirect')
    this.href = href
  }
}
