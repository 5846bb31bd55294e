import { Argument } from 'commander'

/** The argument of the commands that take an account by any of its contacts. */
export const CONTACT = new Argument(
  '<contact>',
  'the address, mobile number or login id of the account',
)
