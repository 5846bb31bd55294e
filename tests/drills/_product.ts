import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { buildPrograms } from '#scripts/_programs.ts'

export const SERVER = 'dist/server.js'

/** A text in a source file of the product, and its replacement in a control. */
export type Change = { file: string; text: string; instead: string }

const built = new Map<string, Promise<string>>()

/**
 * Builds the server without a guard and returns its path. It is in `dist`, like the product, so
 * that its packages are found. Throws when the source does not contain the text exactly once.
 */
export function withoutGuard(name: string, changes: Change[]): Promise<string> {
  const earlier = built.get(name)
  if (earlier) return earlier
  const building = build(name, changes)
  built.set(name, building)
  return building
}

async function build(name: string, changes: Change[]): Promise<string> {
  const folder = join('dist', 'drills', name)
  await buildPrograms(folder, [change(changes)])
  mkdirSync(folder, { recursive: true })
  symlinkSync(relative(folder, 'dist/assets'), join(folder, 'assets'))
  return join(folder, 'server.js')
}

function change(changes: Change[]): Plugin {
  const texts = new Map<string, string>()
  for (const { file, text, instead } of changes) {
    const before = texts.get(resolve(file)) ?? readFileSync(file, 'utf8')
    if (before.split(text).length !== 2)
      throw new Error(`${file} does not contain exactly once: ${text}`)
    texts.set(
      resolve(file),
      before.replace(text, () => instead),
    )
  }
  return {
    name: 'without-guard',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const contents = texts.get(path)
        return contents === undefined
          ? undefined
          : { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}
