/** The flags of the server's Node. A test compares them with the Dockerfile. */

// New objects stay in 12 MB. Node would let them have 200, and is no faster with them here. With a limit, even one that
// is never met, old objects are collected before there are four times as many as are used. It leaves the rest of the
// 512 MB that the container and the unit allow to images, buffers and programs beside it. One thread helps to collect and
// to compile, instead of four.
export const SERVER = [
  '--max-semi-space-size=4',
  '--max-old-space-size=320',
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
