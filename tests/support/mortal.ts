import { execFile } from 'node:child_process'
import { findProcess, type ProcessName } from '#tests/support/programs.ts'

export type Ending = { signal: string | null; out: string }

/** Runs a process of the tests that may be killed. Resolves with its output; a failing process is an error. */
export async function runMortal(name: ProcessName, args: string[]): Promise<string> {
  const { ended } = await startMortal(name, args)
  return (await ended).out
}

export async function startMortal(
  name: ProcessName,
  args: string[],
  env: Record<string, string> = {},
) {
  const program = await findProcess(name)
  let kill = () => {}
  const ended = new Promise<Ending>((resolve, reject) => {
    const options = { env: { ...process.env, ...env } }
    const child = execFile(process.execPath, [program, ...args], options, (error, out, stderr) => {
      if (error && error.signal !== 'SIGKILL') reject(new Error(stderr))
      else resolve({ signal: error?.signal ?? null, out })
    })
    kill = () => void child.kill('SIGKILL')
  })
  return { ended, kill }
}
