import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { buildPrograms } from '#scripts/_programs.ts'

export const SERVER = 'dist/server.js'

/** A text in a source file of the product, and what a control has in its place. */
export type Change = { file: string; text: string; instead: string }

const built = new Map<string, Promise<string>>()

/**
 * The server with a guard taken out of its source. It stands beside the product in `dist`, where
 * its packages are found. Throws when the source has no such text, or has it twice.
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
    if (before.split(text).length !== 2) throw new Error(`${file} does not say once: ${text}`)
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
