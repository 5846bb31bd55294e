/**
 * The style sheets of the finder's page, `components/scans/scan-*.css`. Each page inlines those that
 * it uses, because every byte is in front of the phone call.
 */
export const SCAN_SHEETS = [
  'page',
  'rtl',
  'langs',
  'lost',
  'private',
  'unlock',
  'popup',
  'preview',
  'notice',
  'brand',
] as const
export type ScanSheet = (typeof SCAN_SHEETS)[number]
