import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { buildPrograms } from '#scripts/_programs.ts'

export const SERVER = 'dist/server.js'

/** A source file of the product, a text in it, and the replacement. */
export type Change = [file: string, text: string, instead: string]

/** The changes of each program that a drill builds, by its name. */
export const programs = new Map<string, Change[]>()

/**
 * Returns a function that builds the server with these changes once, and returns its path. It is in
 * `dist`, like the product, so that its packages are found.
 */
export function withoutGuard(name: string, changes: Change[]): () => Promise<string> {
  programs.set(name, changes)
  let building: Promise<string> | undefined
  return () => {
    building ??= build(name, changes)
    return building
  }
}

async function build(name: string, changes: Change[]): Promise<string> {
  const folder = join('dist', 'drills', name)
  await buildPrograms(folder, [replacing(applied(changes))])
  mkdirSync(folder, { recursive: true })
  symlinkSync(relative(folder, 'dist/assets'), join(folder, 'assets'))
  return join(folder, 'server.js')
}

/** Returns the changed sources by path. Throws when a source does not contain its text exactly once. */
export function applied(changes: Change[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [file, text, instead] of changes) {
    const path = resolve(file)
    const before = texts.get(path) ?? readFileSync(file, 'utf8')
    if (before.split(text).length !== 2)
      throw new Error(`${file} does not contain exactly once: ${text}`)
    texts.set(
      path,
      before.replace(text, () => instead),
    )
  }
  return texts
}

function replacing(texts: Map<string, string>): Plugin {
  return {
    name: 'without-guard',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const contents = texts.get(path)
        if (contents === undefined) return undefined
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}
