/** The pages that preview a brand before it is saved. */
export const PREVIEWS = [
  { id: 'scan', label: 'Scan page' },
  { id: 'police', label: 'Police page' },
  { id: 'label', label: 'Label' },
] as const
export type Preview = (typeof PREVIEWS)[number]['id']

type Shown = { brand_name: string; colour: string; footer: string; version: string }

/** Returns the address of a page with the form's values. `version` changes with the saved logo. */
export function previewHref(page: Preview, { brand_name, colour, footer, version }: Shown): string {
  const query = new URLSearchParams({ page, brand_name, colour, footer, version })
  return `/settings/branding/preview?${query}`
}
