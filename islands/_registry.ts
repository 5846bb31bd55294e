import type { ComponentProps, ComponentType } from 'react'

/**
 * Every island by its name, loaded when it is first needed in the browser. The server loads the
 * same list, so that a page cannot name an island that the browser does not know.
 */
export const registry = {
  'api-key-revoke': () =>
    import('#islands/api-key-revoke.tsx').then((module) => module.ApiKeyRevoke),
  'api-keys': () => import('#islands/api-keys.tsx').then((module) => module.ApiKeys),
  'admin-acts': () => import('#islands/admin-acts.tsx').then((module) => module.AdminActs),
  'admin-users': () => import('#islands/admin-users.tsx').then((module) => module.AdminUsers),
  'child-form': () => import('#islands/child-form.tsx').then((module) => module.ChildForm),
  'child-forgot': () => import('#islands/child-forgot.tsx').then((module) => module.ChildForgot),
  'claim-form': () => import('#islands/claim-form.tsx').then((module) => module.ClaimForm),
  'document-delete': () =>
    import('#islands/document-delete.tsx').then((module) => module.DocumentDelete),
  'document-share': () =>
    import('#islands/document-share.tsx').then((module) => module.DocumentShare),
  'document-show': () => import('#islands/document-show.tsx').then((module) => module.DocumentShow),
  'document-switch': () =>
    import('#islands/document-switch.tsx').then((module) => module.DocumentSwitch),
  'document-upload': () =>
    import('#islands/document-upload.tsx').then((module) => module.DocumentUpload),
  'code-export': () => import('#islands/code-export.tsx').then((module) => module.CodeExport),
  gallery: () => import('#islands/gallery.tsx').then((module) => module.Gallery),
  'grant-admin': () => import('#islands/grant-admin.tsx').then((module) => module.GrantAdmin),
  'login-form': () => import('#islands/login-form.tsx').then((module) => module.LoginForm),
  'message-delete': () =>
    import('#islands/message-delete.tsx').then((module) => module.MessageDelete),
  'message-form': () => import('#islands/message-form.tsx').then((module) => module.MessageForm),
  'message-switch': () =>
    import('#islands/message-switch.tsx').then((module) => module.MessageSwitch),
  'missing-images': () =>
    import('#islands/missing-images.tsx').then((module) => module.MissingImages),
  'popup-delete': () => import('#islands/popup-delete.tsx').then((module) => module.PopupDelete),
  'popup-toggle': () => import('#islands/popup-toggle.tsx').then((module) => module.PopupToggle),
  'popup-upload': () => import('#islands/popup-upload.tsx').then((module) => module.PopupUpload),
  'promo-create': () => import('#islands/promo-create.tsx').then((module) => module.PromoCreate),
  'promo-delete': () => import('#islands/promo-delete.tsx').then((module) => module.PromoDelete),
  'promo-notice': () => import('#islands/promo-notice.tsx').then((module) => module.PromoNotice),
  'permission-form': () =>
    import('#islands/permission-form.tsx').then((module) => module.PermissionForm),
  'qr-delete': () => import('#islands/qr-delete.tsx').then((module) => module.QrDelete),
  'qr-dialogs': () => import('#islands/qr-dialogs.tsx').then((module) => module.QrDialogs),
  'qr-download': () => import('#islands/qr-download.tsx').then((module) => module.QrDownload),
  'qr-form': () => import('#islands/qr-form.tsx').then((module) => module.QrForm),
  'qr-labels': () => import('#islands/qr-labels.tsx').then((module) => module.QrLabels),
  'qr-made': () => import('#islands/qr-made.tsx').then((module) => module.QrMade),
  'qr-menus': () => import('#islands/qr-menus.tsx').then((module) => module.QrMenus),
  'qr-quantity': () => import('#islands/qr-quantity.tsx').then((module) => module.QrQuantity),
  'qr-share': () => import('#islands/qr-share.tsx').then((module) => module.QrShare),
  'qr-show': () => import('#islands/qr-show.tsx').then((module) => module.QrShow),
  'qr-switch': () => import('#islands/qr-switch.tsx').then((module) => module.QrSwitch),
  'qr-undo-claim': () => import('#islands/qr-undo-claim.tsx').then((module) => module.QrUndoClaim),
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
