// `npm test` runs the quick tier: static checks, everything on SQLite that is not tagged as slow, and the main flows in
// Chromium on a phone. `--all` runs everything, on both engines; `--engine=sqlite` or `--engine=postgres` everything on
// one; `--storage=s3` keeps files on an S3 server inside the tests. Prints the slowest files, the failures and the count.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { findOrInstall } from './programs.mjs'
import { say } from './say.mjs'
import { runStaticChecks, runTool } from './static-checks.mjs'

const RESULTS = 'test-results'
const FAILED_STEP = { passed: 0, failed: 1, files: [] }
const SLOWEST = 10

/** Tests whose outcome depends on the database. */
const ON_BOTH = [
  ...['tests/db', 'tests/http', 'tests/mail/outbox.test.ts'],
  ...['move', 'database-url', 'backup'].map((act) => `tests/cli/${act}.test.ts`),
  ...['tests/storage/crash.test.ts', 'tests/storage/removal-crash.test.ts'],
]
/** A run of both engines has the rest of the command line on SQLite alone, because its verbs run on both. */
const ON_POSTGRES_ALONE = ['tests/cli']
const ENGINES = ['sqlite', 'postgres']
const ENGINE_ENV = { sqlite: {}, postgres: { DRIVEQR_TEST_ENGINE: 'postgres' } }

/** The tag of a whole file, which Vitest would load to skip its tests. */
const SLOW_FILE = '// @module-tag slow\n'

function readOptions() {
  try {
    const options = {
      all: { type: 'boolean' },
      engine: { type: 'string' },
      storage: { type: 'string' },
    }
    const { values } = parseArgs({ options })
    const { engine, storage = 's3' } = values
    if ((!engine || ENGINES.includes(engine)) && storage === 's3') return values
  } catch {}
  say('npm test takes --all, --engine=sqlite or --engine=postgres, and --storage=s3')
  process.exit(2)
}

/** Returns the arguments that leave out the slow tests and the repetition of some on S3. */
function quickFilter() {
  const files = readdirSync('tests', { recursive: true })
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => join('tests', path))
    .filter((path) => readFileSync(path, 'utf8').startsWith(SLOW_FILE))
  const excluded = files.map((path) => `--exclude=${path}`)
  return ['--tags-filter=!slow', '--project=alone', '--project=together', ...excluded]
}

async function runVitest(engine) {
  const results = `${RESULTS}/vitest-${engine}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const alone = engines.length === 1 ? ON_POSTGRES_ALONE : []
  const folders = engine === 'postgres' ? [...ON_BOTH, ...alone] : []
  const filter = isQuick ? quickFilter() : []
  const env = { ...ENGINE_ENV[engine], ...(engines.length > 1 && { DRIVEQR_TEST_ENGINES: 'both' }) }
  const isGood = await runTool('vitest', ['run', ...folders, ...filter, ...reporters], { env })
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
  const env = { ...ENGINE_ENV[engine], PLAYWRIGHT_JSON_OUTPUT_NAME: results }
  const filter = isQuick ? ['--project=phone', '--grep=@both|@main', '--grep-invert=@slow'] : []
  const isGood = await runTool('playwright', ['test', '--reporter=list,json', ...filter], {
    env,
    output,
  })
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

/** Finds or installs the programs that the tests use. Returns whether the necessary ones are there. */
async function prepare() {
  const others = isQuick ? [] : ['chromium', 'fonts', 'firefox', 'webkit', 'xvfb']
  const databases = engines.filter((name) => name === 'postgres')
  const missing = await findOrInstall(['shell', ...databases, ...others])
  // The whole browser takes the place of its shell.
  if (missing.includes('shell')) missing.push(...(await findOrInstall(['chromium'])))
  if (missing.length > 0)
    say(`Not found: ${missing.join(', ')}. CONTRIBUTING.md says how to name them.`)
  return !['chromium', 'postgres'].some((name) => missing.includes(name))
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

const { engine, storage, ...rest } = readOptions()
const isQuick = !engine && !storage && !rest.all
const engines = engine ? [engine] : isQuick ? ['sqlite'] : ENGINES
if (storage) process.env.DRIVEQR_TEST_STORAGE = storage
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
const [checks, isPrepared] = await Promise.all([runStaticChecks(), prepare()])
const failedChecks = checks.filter((isGood) => !isGood).length
const counts = [{ passed: 0, failed: failedChecks, files: [] }]
if (isPrepared) {
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
  process.stdout.write(`Passed only at the second try: ${test}\n`)
}
const passed = counts.reduce((sum, each) => sum + each.passed, 0)
const failed = counts.reduce((sum, each) => sum + each.failed, 0)
const summary = `${passed} passed, ${failed} failed\n`
writeFileSync(`${RESULTS}/summary.txt`, summary)
process.stdout.write(summary)
process.exit(failed === 0 ? 0 : 1)
