/** The sender of a finder's message, in hashes that only the secret key can make. */
export type Sender = {
  /** of the browser, by its cookie; undefined for a program and for a browser without cookies */
  browser: string | undefined
  /** of the exact address by day, today's first */
  addresses: string[]
  /** whether a carrier gives the address to many phones */
  isShared: boolean
  /** of the largest network by day, today's first */
  networks: string[]
}
