import type { ComponentProps, ComponentType } from 'react'

/**
 * Every island by its name, loaded when it is first needed in the browser. The server loads the
 * same list, so that a page cannot name an island that the browser does not know.
 */
export const registry = {
  'child-form': () => import('#islands/families/child-form.tsx').then((module) => module.ChildForm),
  'child-forgot': () =>
    import('#islands/families/child-forgot.tsx').then((module) => module.ChildForgot),
  'claim-form': () => import('#islands/codes/claim-form.tsx').then((module) => module.ClaimForm),
  'document-share': () =>
    import('#islands/papers/document-share.tsx').then((module) => module.DocumentShare),
  'document-upload': () =>
    import('#islands/papers/document-upload.tsx').then((module) => module.DocumentUpload),
  'grant-admin': () => import('#islands/admin/grant-admin.tsx').then((module) => module.GrantAdmin),
  'login-form': () => import('#islands/accounts/login-form.tsx').then((module) => module.LoginForm),
  'popup-upload': () =>
    import('#islands/papers/popup-upload.tsx').then((module) => module.PopupUpload),
  'promo-notice': () =>
    import('#islands/plans/promo-notice.tsx').then((module) => module.PromoNotice),
  'qr-form': () => import('#islands/codes/qr-form.tsx').then((module) => module.QrForm),
  'qr-labels': () => import('#islands/codes/qr-labels.tsx').then((module) => module.QrLabels),
  'qr-quantity': () => import('#islands/codes/qr-quantity.tsx').then((module) => module.QrQuantity),
  'reset-form': () => import('#islands/accounts/reset-form.tsx').then((module) => module.ResetForm),
  'reset-requests': () =>
    import('#islands/families/reset-requests.tsx').then((module) => module.ResetRequests),
  'upgrade-dialog': () =>
    import('#islands/plans/upgrade-dialog.tsx').then((module) => module.UpgradeDialog),
}

export type IslandName = keyof typeof registry
/** An island without props takes an empty object. */
export type IslandProps<N extends IslandName> = object &
  ComponentProps<Awaited<ReturnType<(typeof registry)[N]>>>
export type LoadIsland = () => Promise<ComponentType<object>>
