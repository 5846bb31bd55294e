import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SHEETS } from '#domain/page-sheets.ts'
import { type AssetManifest, eachFinderPage } from '#routes/_http/assets.ts'
import { buildPrograms, bundle } from '#scripts/_programs.ts'
import { placeOfPrograms } from '#tests/support/folders.ts'

/** A manifest of assets that no test of the programs fetches. */
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
  finderScripts: { message: '', conversation: '', photo: '' },
  pictures: { hidden: '', reminders: '', languages: '' },
  serviceWorker: '',
}

/** Processes of the tests that start often and mostly are killed. */
const PROCESSES = [
  'approver',
  'digest-writer',
  'exporter',
  'file-writer',
  'mover',
  'remover',
  'restorer',
] as const
export type ProcessName = (typeof PROCESSES)[number]

/** Beside the packages, so that programs find those that stay outside of them. */
const newFolder = () => mkdtempSync(resolve('node_modules/.driveqr-test-'))

/** Builds the programs of these sources, independent of `dist`, without the assets for browsers. */
export async function makePrograms() {
  const folder = newFolder()
  await buildPrograms(folder)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/manifest.json'), JSON.stringify(MANIFEST))
  return {
    ...programsIn(folder),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The same for all tests of a run. */
export async function findPrograms() {
  return programsIn(await findShared('programs', async () => (await makePrograms()).folder))
}

/** Half of a start of one of these was reading hundreds of sources. */
export async function findProcess(name: ProcessName): Promise<string> {
  const folder = await findShared('processes', makeProcesses)
  return join(folder, 'programs', `${name}.js`)
}

async function makeProcesses(): Promise<string> {
  const folder = newFolder()
  const sources = PROCESSES.map((name) => [name, `tests/support/${name}.ts`])
  await bundle(folder, { ...Object.fromEntries(sources), 'draw-images': 'storage/draw-images.ts' })
  return folder
}

/** Made by the first test of a run that asks, and compiled by the first that starts it. */
async function findShared(name: string, make: () => Promise<string>): Promise<string> {
  const shared = join(placeOfPrograms(), name)
  if (existsSync(shared)) return shared
  const folder = await make()
  mkdirSync(placeOfPrograms(), { recursive: true })
  try {
    renameSync(folder, shared)
  } catch (error) {
    // Another process was first.
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(shared)) throw error
  }
  return shared
}

function programsIn(folder: string) {
  return { server: join(folder, 'server.js'), commandLine: join(folder, 'driveqr.js') }
}
