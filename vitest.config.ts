import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/{rules,db,http,components,storage,mail,backup,cli,house}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
})
