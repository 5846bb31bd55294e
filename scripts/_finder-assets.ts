/** Builds the styles and scripts of the finder's pages. */
import { build, type Metafile } from 'esbuild'
import type { FinderPage, FinderScript } from '#domain/scans/finder-page.ts'
import type { ScanSheet } from '#domain/scans/scan-sheets.ts'
import { SHARED_OPTIONS } from '#scripts/_programs.ts'
import { buildSheet } from '#scripts/_sheets.ts'

/** Phones of strangers are older than those of owners. */
const OLD_PHONES = ['safari14', 'chrome90']

export const INLINED: Record<FinderPage, string> = {
  message: 'components/conversations/message-page.css',
  conversation: 'components/conversations/conversation-page.css',
  report: 'components/conversations/report-page.css',
}

export const SCRIPTS: Record<FinderScript, string> = {
  message: 'islands/conversations/_message-page.ts',
  conversation: 'islands/conversations/_conversation-page.ts',
  photo: 'islands/conversations/_photo.ts',
}

/** Builds a sheet of the scan page. */
export function buildScanSheet(sheet: ScanSheet): Promise<string> {
  return buildSheet(`components/scans/scan-${sheet}.css`, OLD_PHONES)
}

/** Builds the styles of another finder's page. */
export function buildInlined(page: FinderPage): Promise<string> {
  return buildSheet(INLINED[page], OLD_PHONES)
}

/** Builds each script by itself, so that a page loads one file. */
export async function buildFinderScripts(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...SHARED_OPTIONS,
    format: 'iife',
    entryPoints: SCRIPTS,
    outdir,
    entryNames: '[name]-[hash]',
    platform: 'browser',
    target: 'es2020',
    metafile: true,
  })
  return metafile
}
