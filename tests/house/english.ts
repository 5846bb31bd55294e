import type { Source } from '#tests/house/sources.ts'

/** A line that a newcomer would stumble over, as `file:line: reason (text)`. */
export type Stumble = string

type Pattern = { reason: string; pattern: RegExp }

/** Words for which the field has a term. CONTRIBUTING.md has the glossary. */
const PRIVATE_WORDS =
  /\b(?:whoever|whosoever|whatever|anew|thereof|lent|worn|wears?|wearers?|verdicts?|misjudged?|judged?|spoken)\b|\bby now\b|\bnobody but\b|\bas if by\b/i

/** Openings of a comment that have no subject. */
const OPENINGS =
  /^(?:What|Who|Whom|Whose|Of|As|How|That|Than|(?:By|With|To|For|In|From|On|At|Under|Through|After|Before) (?:what|which|who|whom|whose))\b/

const WHAT =
  /\b(?:of|for|to|by|with|from|at|on|in|into|after|before|beside|than|as|and|or|not|but|is|are|was) what\b|\bwhat (?:is|was|are|were|has|had|it|they|becomes?|stands?|waits?|belongs?|follows|comes|came|stays|remains|goes|nobody|somebody|others?)\b/i

const IN_COMMENTS: Pattern[] = [
  { reason: 'begins without a subject or verb', pattern: OPENINGS },
  { reason: 'uses a clause with "what" as a noun', pattern: WHAT },
  {
    reason: 'uses a clause with "who" as a noun',
    pattern:
      /(?:^|\b(?:of|for|to|by|with|from|at|on|in|and|or|than|but|as|is|was) )who(?:m|se)?\b/i,
  },
  { reason: 'uses a private word', pattern: PRIVATE_WORDS },
]

const IN_NAMES =
  /\b\w*(?:[wW]orn|[wW]ear|[sS]poken|[aA]new|[jJ]udge)(?![a-z])\w*\b|\b\w*(?<![aA]d)[dD]ress(?:ed)?(?![a-z])\w*\b/

const NO_VERB = /^(?:This|Its|As|Always|Was|Less|Plus|Thus|Perhaps|Us|Across)$/

/** Lists the lines of a file that break the rules for English in CONTRIBUTING.md. */
export function findStumbles({ path, text }: Source): Stumble[] {
  if (!/\.(?:tsx?|mjs|css)$/.test(path) || path === 'tests/house/english.ts') return []
  return [
    ...findInComments(path, text),
    ...findInNames(path, text),
    ...findNoVerb(path, text),
    ...findInTitles(path, text),
  ]
}

const COMMENT =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g

function findInComments(path: string, text: string): Stumble[] {
  return commentsOf(text).flatMap(({ at, words }) =>
    IN_COMMENTS.filter(({ pattern }) => pattern.test(words)).map(
      ({ reason }) => `${path}:${lineAt(text, at)}: ${reason} (${words.slice(0, 100)})`,
    ),
  )
}

/** Returns the comments without their marks; lines of `//` that follow each other are one comment. */
function commentsOf(text: string): { at: number; words: string }[] {
  const found: { at: number; end: number; words: string }[] = []
  for (const match of text.matchAll(COMMENT)) {
    const comment = match[1]
    if (comment === undefined) continue
    const words = wordsOf(comment)
    const last = found.at(-1)
    const follows =
      last && comment.startsWith('//') && /^\n\s*$/.test(text.slice(last.end, match.index))
    const end = match.index + comment.length
    if (follows) Object.assign(last, { end, words: `${last.words} ${words}` })
    else found.push({ at: match.index, end, words })
  }
  return found
}

/** Quoted words and code in a comment are exempt: they are cited. */
function wordsOf(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$|^\/\/+/g, ' ')
    .replace(/\n\s*\*/g, ' ')
    .replace(/`[^`]*`|"[^"]*"/g, 'x')
    .replace(/\s+/g, ' ')
    .trim()
}

function findInNames(path: string, text: string): Stumble[] {
  if (!/\.tsx?$/.test(path)) return []
  // Strings and comments go, but not their line breaks.
  const code = text.replace(COMMENT, (match) => match.replace(/[^\n]/g, ' '))
  return code.split('\n').flatMap((line, index) => {
    const name = line.match(IN_NAMES)?.[0]
    return name ? [`${path}:${index + 1}: uses a private word in a name (${name})`] : []
  })
}

const DOCUMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?function\*? (\w+)/g

/** A doc comment of a function begins with a verb in the third person. A component is a thing. */
function findNoVerb(path: string, text: string): Stumble[] {
  if (/^(?:tests|lab)\//.test(path)) return []
  return Array.from(text.matchAll(DOCUMENTED)).flatMap((match) => {
    const [first = ''] = wordsOf(`/**${match[1]}*/`).split(/[ ,.:;]/)
    const isComponent = /^[A-Z]/.test(match[2] ?? '')
    if (isComponent || (/^[A-Z][a-z]+s$/.test(first) && !NO_VERB.test(first))) return []
    return [`${path}:${lineAt(text, match.index)}: does not begin with a verb (${match[2]})`]
  })
}

const TITLES =
  /(?:\b(?:test|describe|testOnSqlite|testOnPostgres)(?:\.\w+)*\(|\)\()\s*'((?:[^'\\\n]|\\.)*)'/g
const CLAUSE_IN_TITLE =
  /^what\b|\b(?:whoever|whatever)\b|\b(?:of|to|for|by|with|from|than|as|is|are|not|after|into|at|on) what\b|\b(?:of|to|for|by|with|from|than|as|is|not|after) who\b/i

/** The title of a test names its subject: "what waits" is "a waiting alert". */
function findInTitles(path: string, text: string): Stumble[] {
  if (!path.startsWith('tests/')) return []
  return Array.from(text.matchAll(TITLES)).flatMap((match) => {
    const [, title = ''] = match
    if (!CLAUSE_IN_TITLE.test(title)) return []
    return [`${path}:${lineAt(text, match.index)}: has a clause for a noun in a title (${title})`]
  })
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
