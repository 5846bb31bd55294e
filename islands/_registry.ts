import type { ComponentProps, ComponentType } from 'react'

/**
 * Every island by its name, loaded when it is first needed in the browser. The server loads the
 * same list, so that a page cannot name an island that the browser does not know.
 */
export const registry = {
  'child-form': () => import('#islands/child-form.tsx').then((module) => module.ChildForm),
  'child-forgot': () => import('#islands/child-forgot.tsx').then((module) => module.ChildForgot),
  'claim-form': () => import('#islands/claim-form.tsx').then((module) => module.ClaimForm),
  'document-share': () =>
    import('#islands/document-share.tsx').then((module) => module.DocumentShare),
  'document-upload': () =>
    import('#islands/document-upload.tsx').then((module) => module.DocumentUpload),
  'grant-admin': () => import('#islands/grant-admin.tsx').then((module) => module.GrantAdmin),
  'login-form': () => import('#islands/login-form.tsx').then((module) => module.LoginForm),
  'popup-upload': () => import('#islands/popup-upload.tsx').then((module) => module.PopupUpload),
  'promo-notice': () => import('#islands/promo-notice.tsx').then((module) => module.PromoNotice),
  'qr-form': () => import('#islands/qr-form.tsx').then((module) => module.QrForm),
  'qr-labels': () => import('#islands/qr-labels.tsx').then((module) => module.QrLabels),
  'qr-quantity': () => import('#islands/qr-quantity.tsx').then((module) => module.QrQuantity),
  'reset-form': () => import('#islands/reset-form.tsx').then((module) => module.ResetForm),
  'reset-requests': () =>
    import('#islands/reset-requests.tsx').then((module) => module.ResetRequests),
  'upgrade-dialog': () =>
    import('#islands/upgrade-dialog.tsx').then((module) => module.UpgradeDialog),
}

export type IslandName = keyof typeof registry
/** An island without props takes an empty object. */
export type IslandProps<N extends IslandName> = object &
  ComponentProps<Awaited<ReturnType<(typeof registry)[N]>>>
export type LoadIsland = () => Promise<ComponentType<object>>
