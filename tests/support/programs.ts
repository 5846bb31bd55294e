import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SHEETS } from '#domain/page-sheets.ts'
import { buildPrograms } from '#scripts/_programs.ts'
import { type AssetManifest, eachFinderPage } from '#server/assets.ts'
import { placeOfPrograms } from '#tests/support/folders.ts'

/** What no test of the programs alone fetches. */
const MANIFEST: AssetManifest = {
  boot: '/assets/boot-TEST.js',
  scripts: {},
  css: Object.fromEntries(SHEETS.map((sheet) => [sheet, ''])) as AssetManifest['css'],
  scanCss: {
    page: 'body{}',
    lost: '',
    private: '',
    unlock: '',
    popup: '',
    preview: '',
    notice: '',
    langs: '',
    rtl: '',
    brand: '',
  },
  inlined: eachFinderPage(() => 'body{}'),
  finderScripts: { message: '', conversation: '' },
  serviceWorker: '',
}

/** The programs of these sources, whatever `dist` holds, without the assets for browsers. */
export async function makePrograms() {
  // Beside the packages, so that they find those that stay outside of them.
  const folder = mkdtempSync(resolve('node_modules/.driveqr-test-'))
  await buildPrograms(folder)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/manifest.json'), JSON.stringify(MANIFEST))
  return {
    ...programsIn(folder),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The same for all tests of a run: made by the first that asks, and compiled by the first that runs them. */
export async function findPrograms() {
  const shared = placeOfPrograms()
  if (!existsSync(shared)) {
    const { folder, remove } = await makePrograms()
    try {
      renameSync(folder, shared)
    } catch (error) {
      // Another process was first.
      remove()
      if (!existsSync(shared)) throw error
    }
  }
  return programsIn(shared)
}

function programsIn(folder: string) {
  return { server: join(folder, 'server.js'), commandLine: join(folder, 'driveqr.js') }
}
