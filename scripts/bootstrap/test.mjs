// `npm test`: runs every check, then prints the slowest files, what failed and the number of tests.
// With --engine=postgres only what runs on PostgreSQL, with --engine=sqlite only what runs on SQLite,
// with --storage=s3 what depends on stored files too, on a server of S3 inside the tests.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import {
  findOrInstallChromium,
  findOrInstallShell,
  installFonts,
  missingChromiumPackages,
  NO_CHROMIUM,
} from './chromium.mjs'
import { installMeanwhile } from './debian.mjs'
import { findOrInstallEngines, missingEnginePackages } from './engines.mjs'
import { findOrInstallPostgres, missingPostgresPackages, NO_POSTGRES } from './postgres.mjs'
import { say } from './say.mjs'
import { runStaticChecks, runTool } from './static-checks.mjs'

const RESULTS = 'test-results'
const FAILED_STEP = { passed: 0, failed: 1, files: [] }
const SLOWEST = 10

/** Whose outcome depends on the database. */
const ON_BOTH = [
  ...['tests/db', 'tests/http', 'tests/mail'],
  ...['move', 'database-url', 'backup'].map((act) => `tests/cli/${act}.test.ts`),
  ...['tests/storage/crash.test.ts', 'tests/storage/removal-crash.test.ts'],
]
/** All of it. Beside SQLite most is left out: it starts the program hundreds of times, and what that calls runs on both. */
const ON_POSTGRES_ALONE = ['tests/cli']
const ENGINES = ['sqlite', 'postgres']
const ON_S3 = '--storage=s3'

/** The engine that was asked for, or both. */
function chosenEngines(args) {
  if (args.length === 0) return ENGINES
  const engine = ENGINES.find((name) => args[0] === `--engine=${name}`)
  if (engine && args.length === 1) return [engine]
  say('npm test takes --engine=sqlite or --engine=postgres, or nothing for both, and --storage=s3')
  process.exit(2)
}

/** What each engine needs to be told of. */
const ON = { sqlite: {}, postgres: { DRIVEQR_TEST_ENGINE: 'postgres' } }

async function runVitest(engine) {
  const results = `${RESULTS}/vitest-${engine}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const alone = engines.length === 1 ? ON_POSTGRES_ALONE : []
  const folders = engine === 'postgres' ? [...ON_BOTH, ...alone] : []
  const env = { ...ON[engine], ...(engines.length > 1 && { DRIVEQR_TEST_ENGINES: 'both' }) }
  const isGood = await runTool('vitest', ['run', ...folders, ...reporters], { env })
  return count(isGood, results, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests + testResults.filter(didNotLoad).length,
    failures: testResults.flatMap(failuresOf).map((test) => `${test}${nameOf(engine)}`),
    files: testResults.map(({ name, startTime, endTime }) => ({
      file: `${relative('.', name)}${nameOf(engine)}`,
      seconds: (endTime - startTime) / 1000,
    })),
  }))
}

function nameOf(engine) {
  return engine === 'postgres' ? ' on PostgreSQL' : ''
}

async function runVitests() {
  const steps = []
  for (const engine of engines) steps.push(await runVitest(engine))
  return steps
}

/** A file that could not be loaded has failed without a failed test. */
function didNotLoad({ status, assertionResults }) {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
}

function failuresOf(file) {
  const name = relative('.', file.name)
  if (didNotLoad(file)) return [name]
  const failed = file.assertionResults.filter(({ status }) => status === 'failed')
  return failed.map(({ fullName }) => `${name}: ${fullName}`)
}

/** On one engine: on the second they show little that HTTP's do not. */
async function runBrowserTests(engine) {
  const results = `${RESULTS}/browser.json`
  const log = `${RESULTS}/browser.log`
  const output = openSync(log, 'w')
  const env = { ...ON[engine], PLAYWRIGHT_JSON_OUTPUT_NAME: results }
  const isGood = await runTool('playwright', ['test', '--reporter=list,json'], { env, output })
  closeSync(output)
  process.stdout.write(readFileSync(log))
  return count(isGood, results, ({ stats, suites }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    failures: suites.flatMap((suite) => testsOf(suite, 'unexpected')),
    unsteady: suites.flatMap((suite) => testsOf(suite, 'flaky')),
    files: suites.map((suite) => ({
      file: `tests/e2e/${suite.file}`,
      seconds: runsOf(suite).reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  }))
}

/** Installs what is missing by one call, beside other work. What fails is tried again one by one. */
async function installMissing() {
  const packages = [
    ...missingChromiumPackages(),
    ...(engines.includes('postgres') ? missingPostgresPackages() : []),
    ...missingEnginePackages(),
  ]
  if (packages.length > 0) await installMeanwhile(packages)
}

/** Finds or installs what the tests use. Returns whether all of it is there. */
function prepare() {
  const chromium = findOrInstallChromium()
  const hasPostgres = !engines.includes('postgres') || findOrInstallPostgres()
  if (!chromium) say(NO_CHROMIUM)
  if (!hasPostgres) say(NO_POSTGRES)
  if (!chromium || !hasPostgres) return false
  process.env.CHROMIUM = chromium
  process.env.CHROMIUM_SHELL = findOrInstallShell(chromium)
  installFonts()
  findOrInstallEngines()
  return true
}

/** Every run of every test of a file, including nested groups. */
function runsOf({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results))
  return [...own, ...suites.flatMap(runsOf)]
}

/** The tests of a file, including nested groups, that ended with this status. */
function testsOf({ specs = [], suites = [] }, wanted) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === wanted))
  return [
    ...own.map(({ file, title }) => `tests/e2e/${file}: ${title}`),
    ...suites.flatMap((suite) => testsOf(suite, wanted)),
  ]
}

/** Counts at least one failure for a runner that failed or ran no tests. */
function count(isGood, file, read) {
  const counted = readCounts(file, read)
  const isExplained = counted.failed > 0 || (isGood && counted.passed > 0)
  return isExplained ? counted : { ...counted, failed: 1 }
}

function readCounts(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    say(`No results in ${file}: ${error.message}`)
    return FAILED_STEP
  }
}

const args = process.argv.slice(2)
const engines = chosenEngines(args.filter((arg) => arg !== ON_S3))
if (args.includes(ON_S3)) process.env.DRIVEQR_TEST_STORAGE = 's3'
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
const [checks] = await Promise.all([runStaticChecks(), installMissing()])
const failedChecks = checks.filter((isGood) => !isGood).length
const counts = [{ passed: 0, failed: failedChecks, files: [] }]
if (prepare()) {
  // Beside each other, because each leaves a third of the processors' time unused.
  const [steps, browsers] = await Promise.all([runVitests(), runBrowserTests(engines[0])])
  counts.push(...steps, browsers)
} else counts.push(FAILED_STEP)
const files = counts.flatMap((each) => each.files).sort((a, b) => b.seconds - a.seconds)
for (const { file, seconds } of files.slice(0, SLOWEST)) {
  process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${file}\n`)
}
for (const test of counts.flatMap(({ failures = [] }) => failures)) {
  process.stdout.write(`Failed: ${test}\n`)
}
for (const test of counts.flatMap(({ unsteady = [] }) => unsteady)) {
  process.stdout.write(`Passed at the second try only, to be mended: ${test}\n`)
}
const passed = counts.reduce((sum, each) => sum + each.passed, 0)
const failed = counts.reduce((sum, each) => sum + each.failed, 0)
const summary = `${passed} passed, ${failed} failed\n`
writeFileSync(`${RESULTS}/summary.txt`, summary)
process.stdout.write(summary)
process.exit(failed === 0 ? 0 : 1)
