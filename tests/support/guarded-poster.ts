/** A process of its own that posts to an address by a guard, as JSON in its first argument says. */
import { createGuard } from '#mail/guarded-request.ts'

const { address, addresses } = JSON.parse(process.argv[2] ?? '{}')
const guard = createGuard(
  { allowPrivateTargets: false },
  { resolve: async () => addresses, isAllowed: () => true, limitMs: 5_000 },
)
const { signal } = new AbortController()
const outcome = await guard.post(address, { headers: {}, body: 'hello', signal })
console.log(JSON.stringify(outcome))
