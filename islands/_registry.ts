import type { ComponentProps, ComponentType } from 'react'

/**
 * Every island by its name, loaded when it is first needed in the browser. The server loads the
 * same list, so that a page cannot name an island that the browser does not know.
 */
export const registry = {
  'child-form': () => import('#islands/families/child-form.tsx').then((module) => module.ChildForm),
  'claim-form': () => import('#islands/codes/claim-form.tsx').then((module) => module.ClaimForm),
  'document-upload': () =>
    import('#islands/papers/document-upload.tsx').then((module) => module.DocumentUpload),
  'login-form': () => import('#islands/accounts/login-form.tsx').then((module) => module.LoginForm),
  'popup-upload': () =>
    import('#islands/papers/popup-upload.tsx').then((module) => module.PopupUpload),
  'qr-form': () => import('#islands/codes/qr-form.tsx').then((module) => module.QrForm),
  'qr-labels': () => import('#islands/codes/qr-labels.tsx').then((module) => module.QrLabels),
  'reset-form': () => import('#islands/accounts/reset-form.tsx').then((module) => module.ResetForm),
  'upgrade-screenshot': () =>
    import('#islands/plans/upgrade-screenshot.tsx').then((module) => module.UpgradeScreenshot),
}

export type IslandName = keyof typeof registry
/** An island without props takes an empty object. */
export type IslandProps<N extends IslandName> = object &
  ComponentProps<Awaited<ReturnType<(typeof registry)[N]>>>
export type LoadIsland = () => Promise<ComponentType<object>>
