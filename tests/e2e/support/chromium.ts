import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SHELL = process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell'
const isRoot = process.getuid?.() === 0

const ARGS = [
  // Chromium's own sandbox refuses to start as root.
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The whole browser, for features that its shell lacks: it opens a page in four times the time. */
export const WHOLE: LaunchOptions = { executablePath: CHROMIUM, args: ARGS }

/** Chromium's engine without its windows, where it is installed. It draws in its own process: one less to start. */
export const QUICK: LaunchOptions = {
  executablePath: existsSync(SHELL) ? SHELL : CHROMIUM,
  args: [...ARGS, '--in-process-gpu'],
}
