// `npm test`: every check there is, then one line that counts them all.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { findOrInstallChromium, installHindiFont, NO_CHROMIUM } from './chromium.mjs'
import { findOrInstallEngines } from './engines.mjs'
import { say } from './say.mjs'
import { runStaticChecks, runTool } from './static-checks.mjs'

const RESULTS = 'test-results'
const VITEST_RESULTS = `${RESULTS}/vitest.json`
const BROWSER_RESULTS = `${RESULTS}/browser.json`
const FAILED_STEP = { passed: 0, failed: 1 }

function runVitest() {
  const reporters = ['--reporter=default', '--reporter=json']
  const isGood = runTool('vitest', ['run', ...reporters, `--outputFile.json=${VITEST_RESULTS}`])
  return count(isGood, VITEST_RESULTS, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests + testResults.filter(didNotLoad).length,
  }))
}

/** A file that could not be read has failed without a test to say so. */
function didNotLoad({ status, assertionResults }) {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
}

function runBrowserTests() {
  const chromium = findOrInstallChromium()
  if (!chromium) {
    say(NO_CHROMIUM)
    return FAILED_STEP
  }
  process.env.CHROMIUM = chromium
  installHindiFont()
  findOrInstallEngines()
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = BROWSER_RESULTS
  const isGood = runTool('playwright', ['test', '--reporter=list,json'])
  return count(isGood, BROWSER_RESULTS, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
  }))
}

/** A runner that is not content has failed at something, and one that ran nothing has too. */
function count(isGood, file, read) {
  const { passed, failed } = readCounts(file, read)
  const isExplained = failed > 0 || (isGood && passed > 0)
  return { passed, failed: isExplained ? failed : 1 }
}

function readCounts(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    say(`No results in ${file}: ${error.message}`)
    return FAILED_STEP
  }
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
const failedChecks = runStaticChecks().filter((isGood) => !isGood).length
const counts = [{ passed: 0, failed: failedChecks }, runVitest(), runBrowserTests()]
const passed = counts.reduce((sum, each) => sum + each.passed, 0)
const failed = counts.reduce((sum, each) => sum + each.failed, 0)
const summary = `${passed} passed, ${failed} failed\n`
writeFileSync(`${RESULTS}/summary.txt`, summary)
process.stdout.write(summary)
process.exit(failed === 0 ? 0 : 1)
