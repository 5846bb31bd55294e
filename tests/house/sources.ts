import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of the project: its path from the root, with slashes, and its text. */
export type Source = { path: string; text: string }

const NOT_OURS = 'node_modules .node .git dist data test-results lab/bench/results docs/site'.split(
  ' ',
)
const TEXT = /\.(ts|tsx|mjs|css|md|json|ya?ml|sh|service)$|Dockerfile|Caddyfile|^\.ci\/run$/

export function readSources(): Source[] {
  return filesBelow('.')
    .filter((path) => TEXT.test(path) && path !== 'package-lock.json')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return NOT_OURS.includes(path) ? [] : filesBelow(path)
  })
}

/** `isLater`: loaded when the code is run that asks for it. */
export type Import = { specifier: string; isType: boolean; isLater: boolean }

const STATEMENT = /\b(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+\s+from\s+)?'([^'\n]+)'/g
const CALL = /\bimport\(\s*'([^'\n]+)'\s*\)/g

/** Every module that a file imports: statically, by re-export or dynamically. */
export function importsOf({ text }: Source): Import[] {
  const code = withoutComments(text).replace(STRING, emptyTemplate)
  return [
    ...Array.from(code.matchAll(STATEMENT), (match) => ({
      specifier: match[2] ?? '',
      isType: match[1] !== undefined,
      isLater: false,
    })),
    ...Array.from(code.matchAll(CALL), (match) => ({
      specifier: match[1] ?? '',
      isType: false,
      isLater: true,
    })),
  ]
}

const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const STRING_OR_COMMENT = new RegExp(`${STRING.source}|/\\*[\\s\\S]*?\\*/|//[^\\n]*`, 'g')

/** The text without comments; strings stay, so that an address in one is no comment. */
export function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (match) => (match.startsWith('/') ? ' ' : match))
}

/** No module is named by a template, but a template may hold code that is written somewhere. */
function emptyTemplate(match: string): string {
  return match.startsWith('`') ? '``' : match
}
