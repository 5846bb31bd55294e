// `npm run check`: format, lint, types and the import arrows.
import { runStaticChecks, runTool } from './static-checks.mjs'

const results = [...(await runStaticChecks()), await runTool('vitest', ['run', 'tests/house'])]
process.exit(results.every(Boolean) ? 0 : 1)
