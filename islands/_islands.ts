import { ResetForm } from '#islands/accounts/reset-form.tsx'
import { PushDevice } from '#islands/alerts/push-device.tsx'
import { ClaimForm } from '#islands/codes/claim-form.tsx'
import { QrForm } from '#islands/codes/qr-form.tsx'
import { QrLabels } from '#islands/codes/qr-labels.tsx'
import { ChildForm } from '#islands/families/child-form.tsx'
import { DocumentUpload } from '#islands/papers/document-upload.tsx'
import { PopupUpload } from '#islands/papers/popup-upload.tsx'
import { UpgradeScreenshot } from '#islands/plans/upgrade-screenshot.tsx'

/** Every island by its name, which is its file's. `_boot.ts` loads them by the same names. */
export const islands = {
  'child-form': ChildForm,
  'claim-form': ClaimForm,
  'document-upload': DocumentUpload,
  'popup-upload': PopupUpload,
  'push-device': PushDevice,
  'qr-form': QrForm,
  'qr-labels': QrLabels,
  'reset-form': ResetForm,
  'upgrade-screenshot': UpgradeScreenshot,
}
export type IslandName = keyof typeof islands
