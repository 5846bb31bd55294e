import { QrForm } from '#islands/codes/qr-form.tsx'
import { QrLabels } from '#islands/codes/qr-labels.tsx'
import { DocumentUpload } from '#islands/papers/document-upload.tsx'
import { PopupUpload } from '#islands/papers/popup-upload.tsx'
import { UpgradeScreenshot } from '#islands/plans/upgrade-screenshot.tsx'

/** The islands of the owner's dashboard. */
export const islands = {
  'document-upload': DocumentUpload,
  'popup-upload': PopupUpload,
  'qr-form': QrForm,
  'qr-labels': QrLabels,
  'upgrade-screenshot': UpgradeScreenshot,
}
