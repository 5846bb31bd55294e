/** The flags and variables of the server's Node. */

const MOST_OLD_MB = 320

/**
 * Returns the limit of old objects in MB for a limit of memory in bytes, 0 for none. Images, buffers and programs beside
 * the server need the rest. Node's own limit is 256 MB at least, which is more than a small container has.
 */
export function oldSpaceMb(memory) {
  if (memory === 0) return MOST_OLD_MB
  return Math.min(MOST_OLD_MB, Math.floor(((memory / 2 ** 20) * 5) / 8))
}

// New objects stay in 12 MB. Node would let them have 200, and is no faster with them here. With a limit, even one that
// is never met, old objects are collected before there are four times as many as are used. One thread helps to collect
// and to compile, instead of four. Node reads the limit of a container or a systemd unit.
export const SERVER = [
  '--max-semi-space-size=4',
  `--max-old-space-size=${oldSpaceMb(process.constrainedMemory?.() ?? 0)}`,
  '--v8-pool-size=1',
  'dist/server.js',
]

/**
 * Allocators read these when they are loaded. glibc keeps 128 KB of freed memory instead of 35 MB,
 * in two pools instead of one a thread. The password hash gives its 19 MB back instead of keeping
 * them for each thread.
 */
export const SERVER_ENV = {
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
  MIMALLOC_PURGE_DELAY: '0',
}
