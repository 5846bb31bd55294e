import { SUBMIT_ON_CHANGE, useDelegated } from '#islands/_delegate.ts'

/** Narrows the list of users as soon as a role is chosen. */
export function AdminUsers() {
  useDelegated<HTMLSelectElement>('change', SUBMIT_ON_CHANGE, ({ form }) => form?.requestSubmit())
  return null
}
