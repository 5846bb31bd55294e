import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/server.ts'

/** Another browser than Chromium, with the actions that the tests of the main flow need. */
export type Engine = {
  open(url: string): Promise<void>
  /** Runs a function, given as text, in the page. Its result is JSON. */
  run<T>(script: string, ...args: string[]): Promise<T>
  /** Presses the control with this text, in the dialog if one is open. Waits until it exists. */
  press(text: string): Promise<void>
  fill(label: string, text: string): Promise<void>
  /** Downloads go to this folder or below it. */
  folder: string
  stop(): Promise<void>
}

const PATIENCE_MS = 60_000

/** Finds a control by its name when the page is ready. */
const FIND = `(kind, name) => {
  const { readyState, documentElement } = document
  const waits = document.querySelector('script[type=module]') && !('ready' in documentElement.dataset)
  if (readyState !== 'complete' || waits || document.querySelector('drive-island:not([ready])')) return null
  const root = document.querySelector('dialog:modal') ?? document
  const text = (element) => (element.innerText ?? '').replace(/\\s+/g, ' ').trim()
  const shown = (element) => element && element.checkVisibility()
  if (kind === 'field') {
    const labels = [...root.querySelectorAll('label')].filter((label) => text(label).startsWith(name))
    return labels.map(({ control }) => control).find(shown) ?? null
  }
  const controls = [...root.querySelectorAll('a, button, summary')].filter(shown)
  // What only a screen reader says follows a colon, for Firefox in a line of its own.
  const own = (control) => text(control).split(':')[0].trim()
  // A hint stands in small letters behind the name.
  const hint = (control) => text(control.querySelector('small') ?? {})
  const bare = (control) => text(control).slice(0, -hint(control).length || undefined).trim()
  return controls.findLast((control) => [text(control), own(control), bare(control)].includes(name)) ?? null
}`

type Driver = {
  find(kind: 'field' | 'control', name: string): Promise<string | undefined>
  click(element: string): Promise<void>
  type(element: string, text: string): Promise<void>
}

function actsOf(driver: Driver): Pick<Engine, 'press' | 'fill'> {
  async function wait(kind: 'field' | 'control', name: string): Promise<string> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
      const found = await driver.find(kind, name)
      if (found) return found
    }
    throw new Error(`There is no ${kind} ${name}`)
  }
  return {
    press: async (text) => driver.click(await wait('control', text)),
    fill: async (label, text) => driver.type(await wait('field', label), text),
  }
}

/** A temporary folder for everything that one browser writes. */
async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'driveqr-engine-'))
  const children: ChildProcess[] = []
  return {
    folder,
    spawn(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
      const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
      const all = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, '.config'), ...env }
      const child = spawn(command, args, { env: all, stdio: [...stdio] })
      children.push(child)
      return child
    },
    async remove() {
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill()
        await Promise.race([once(child, 'exit'), sleep(3_000, undefined, { ref: false })])
        child.kill('SIGKILL')
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The text that a child process writes to a stream, as soon as it matches. */
function said(child: ChildProcess, stream: number, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdio[stream]?.on('data', (chunk) => {
      text += chunk
      const found = pattern.exec(text)
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(`${child.spawnfile} ended:\n${text}`)))
  })
}

/** Firefox, controlled by WebDriver BiDi. */
export async function startFirefox(program: string, { script = true } = {}): Promise<Engine> {
  const { folder, spawn, remove } = await openFolder()
  const settings = [
    `user_pref("javascript.enabled", ${script});`,
    'user_pref("browser.shell.checkDefaultBrowser", false);',
    'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
    'user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);',
    'user_pref("app.update.disabledForTesting", true);',
  ]
  await writeFile(join(folder, 'user.js'), settings.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0']
  const address = await said(spawn(program, args), 2, /ws:\/\/[\d.]+:\d+/)
  const call = await openBidi(`${address}/session`)
  await call('session.new', { capabilities: {} })
  const { contexts } = await call('browsingContext.getTree', {})
  const [{ context }] = contexts
  const downloadBehavior = { type: 'allowed', destinationFolder: folder }
  await call('browser.setDownloadBehavior', { downloadBehavior })
  const callIn = async (functionDeclaration: string, args: object[]) => {
    const target = { context }
    const asked = { functionDeclaration, arguments: args, target, awaitPromise: true }
    const { result, exceptionDetails } = await call('script.callFunction', asked)
    if (!result) throw new Error(exceptionDetails.text)
    return result
  }
  const texts = (args: string[]) => args.map((value) => ({ type: 'string', value }))
  const act = async (actions: object) => {
    await call('input.performActions', { context, actions: [actions] })
  }
  const click = async (sharedId: string) => {
    await callIn('(element) => element.scrollIntoView({ block: "center" })', [{ sharedId }])
    const origin = { type: 'element', element: { sharedId } }
    const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
    const actions = [{ type: 'pointerMove', x: 0, y: 0, origin }, ...press]
    await act({ type: 'pointer', id: 'mouse', actions })
  }
  return {
    folder,
    ...actsOf({
      find: async (...asked) => (await callIn(FIND, texts(asked))).sharedId,
      click,
      async type(element, text) {
        await click(element)
        const keys = [...text].flatMap((value) =>
          ['keyDown', 'keyUp'].map((type) => ({ type, value })),
        )
        await act({ type: 'key', id: 'keys', actions: keys })
      },
    }),
    open: async (url) =>
      void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
    run: async (text, ...args) =>
      JSON.parse(
        (await callIn(`(...args) => JSON.stringify((${text})(...args))`, texts(args))).value,
      ),
    async stop() {
      await call('browser.close', {})
      await remove()
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol with a hundred shapes
type Answer = any

async function openBidi(address: string) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, (message: Answer) => void>()
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data))
    waiting.get(message.id)?.(message)
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`${address} does not answer`))
  })
  let last = 0
  return async (method: string, params: object): Promise<Answer> => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    const message: Answer = await new Promise((resolve) => waiting.set(id, resolve))
    if (message.type === 'error') throw new Error(`${method}: ${message.error}, ${message.message}`)
    return message.result
  }
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** WebKit, controlled by its driver, on a virtual display. */
export async function startWebKit(program: string, xvfb: string): Promise<Engine> {
  const { folder, spawn, remove } = await openFolder()
  await mkdir(join(folder, '.config'))
  await writeFile(join(folder, '.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${folder}"\n`)
  const screen = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const display = (await said(spawn(xvfb, screen), 3, /\d+\n/)).trim()
  const port = await freePort()
  const env = { DISPLAY: `:${display}`, WEBKIT_DISABLE_DMABUF_RENDERER: '1' }
  spawn(program, [`--port=${port}`, '--host=127.0.0.1'], env)
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const sent = { method, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent)
    const { value } = (await answer.json()) as Answer
    if (!answer.ok) throw new Error(`${path}: ${value.error}, ${value.message}`)
    return value
  }
  const { sessionId } = await untilAnswered(() =>
    call('POST', '/session', { capabilities: { alwaysMatch: {} } }),
  )
  const session = `/session/${sessionId}`
  const run = (text: string, args: string[]) =>
    call('POST', `${session}/execute/sync`, { script: `return (${text})(...arguments)`, args })
  return {
    folder,
    ...actsOf({
      find: async (...asked) => (await run(FIND, asked))?.[ELEMENT],
      click: (element) => call('POST', `${session}/element/${element}/click`, {}),
      type: (element, text) => call('POST', `${session}/element/${element}/value`, { text }),
    }),
    open: (url) => call('POST', `${session}/url`, { url }),
    run: (text, ...args) => run(text, args),
    async stop() {
      await call('DELETE', session)
      await remove()
    },
  }
}

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > end) throw error
    }
  }
}
