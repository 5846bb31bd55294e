import type { ComponentProps, ComponentType } from 'react'

/**
 * Every island by its name, loaded when it is first needed in the browser. The server loads the
 * same list, so that a page cannot name an island that the browser does not know.
 */
export const registry = {
  'api-key-revoke': () =>
    import('#islands/api-key-revoke.tsx').then((module) => module.ApiKeyRevoke),
  'api-keys': () => import('#islands/api-keys.tsx').then((module) => module.ApiKeys),
  'child-form': () => import('#islands/child-form.tsx').then((module) => module.ChildForm),
  'child-forgot': () => import('#islands/child-forgot.tsx').then((module) => module.ChildForgot),
  'claim-form': () => import('#islands/claim-form.tsx').then((module) => module.ClaimForm),
  'document-delete': () =>
    import('#islands/document-delete.tsx').then((module) => module.DocumentDelete),
  'document-share': () =>
    import('#islands/document-share.tsx').then((module) => module.DocumentShare),
  'document-show': () => import('#islands/document-show.tsx').then((module) => module.DocumentShow),
  'document-upload': () =>
    import('#islands/document-upload.tsx').then((module) => module.DocumentUpload),
  'grant-admin': () => import('#islands/grant-admin.tsx').then((module) => module.GrantAdmin),
  'login-form': () => import('#islands/login-form.tsx').then((module) => module.LoginForm),
  'message-delete': () =>
    import('#islands/message-delete.tsx').then((module) => module.MessageDelete),
  'message-form': () => import('#islands/message-form.tsx').then((module) => module.MessageForm),
  'popup-delete': () => import('#islands/popup-delete.tsx').then((module) => module.PopupDelete),
  'popup-upload': () => import('#islands/popup-upload.tsx').then((module) => module.PopupUpload),
  'promo-create': () => import('#islands/promo-create.tsx').then((module) => module.PromoCreate),
  'promo-delete': () => import('#islands/promo-delete.tsx').then((module) => module.PromoDelete),
  'promo-notice': () => import('#islands/promo-notice.tsx').then((module) => module.PromoNotice),
  'permission-form': () =>
    import('#islands/permission-form.tsx').then((module) => module.PermissionForm),
  'qr-delete': () => import('#islands/qr-delete.tsx').then((module) => module.QrDelete),
  'qr-form': () => import('#islands/qr-form.tsx').then((module) => module.QrForm),
  'qr-labels': () => import('#islands/qr-labels.tsx').then((module) => module.QrLabels),
  'qr-made': () => import('#islands/qr-made.tsx').then((module) => module.QrMade),
  'qr-quantity': () => import('#islands/qr-quantity.tsx').then((module) => module.QrQuantity),
  'qr-show': () => import('#islands/qr-show.tsx').then((module) => module.QrShow),
  'reset-form': () => import('#islands/reset-form.tsx').then((module) => module.ResetForm),
  'reset-requests': () =>
    import('#islands/reset-requests.tsx').then((module) => module.ResetRequests),
  'upgrade-details': () =>
    import('#islands/upgrade-details.tsx').then((module) => module.UpgradeDetails),
  'upgrade-dialog': () =>
    import('#islands/upgrade-dialog.tsx').then((module) => module.UpgradeDialog),
}

export type IslandName = keyof typeof registry
/** An island without props takes an empty object. */
export type IslandProps<N extends IslandName> = object &
  ComponentProps<Awaited<ReturnType<(typeof registry)[N]>>>
export type LoadIsland = () => Promise<ComponentType<object>>
