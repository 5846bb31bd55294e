import { build } from 'esbuild'
import { SHARED_OPTIONS } from '#scripts/_programs.ts'

/** The browsers that the pages of owners and administrators are built for. */
export const BROWSERS = ['es2022', 'safari16']

/** Builds a style sheet with its imports, for these browsers. */
export async function buildSheet(file: string, target: string[]): Promise<string> {
  const { outputFiles } = await build({
    ...SHARED_OPTIONS,
    entryPoints: [file],
    target,
    write: false,
  })
  return joinLayers((outputFiles[0]?.text ?? '').trim())
}

/** Joins neighbouring blocks of the same layer into one: each file of styles has its own. */
export function joinLayers(css: string): string {
  let joined = ''
  let layer = ''
  for (const block of topBlocks(css)) {
    const [start = ''] = /^@layer \w+{/.exec(block) ?? []
    const isSame = start !== '' && start === layer
    joined = isSame ? joined.slice(0, -1) + block.slice(start.length) : joined + block
    layer = start
  }
  return joined
}

/** Returns the rules and blocks that no other block contains. */
function topBlocks(css: string): string[] {
  const blocks: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: sign, index } of css.matchAll(/[{};]/g)) {
    if (sign === '{') depth++
    if (sign === '}') depth--
    if (depth > 0) continue
    blocks.push(css.slice(from, index + 1))
    from = index + 1
  }
  return [...blocks, css.slice(from)]
}
