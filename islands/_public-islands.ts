import { ResetForm } from '#islands/accounts/reset-form.tsx'
import { ClaimForm } from '#islands/codes/claim-form.tsx'
import { ChildForm } from '#islands/families/child-form.tsx'

/** The islands of pages for people who are not signed in. */
export const islands = {
  'child-form': ChildForm,
  'claim-form': ClaimForm,
  'reset-form': ResetForm,
}
