/** A variable that is no setting but looks like one; `like` is the setting that it resembles, if any. */
export type Misspelt = { name: string; like: string | undefined }

/**
 * Variables of shells, systems and other programs, which are never reported. `AWS_` and `GOOGLE_` are the names of
 * their programs, and Kubernetes gives each service such a `_PORT`.
 */
const OF_OTHERS =
  /^(HOME|PATH|PWD|OLDPWD|USER|SHELL|LANG|LC_\w+|TERM|TMP|TEMP|TMPDIR|EDITOR|PAGER|MAIL|HOSTNAME|HOSTTYPE|LOGNAME|DISPLAY|POSIX\w*|AWS_\w+|GOOGLE_(APPLICATION|API|CLOUD|GENAI)_\w+|NODE_\w+|npm_\w+|DRIVEQR_(TEST|FUZZ)_\w+|\w+_SERVICE_(HOST|PORT)(_\w+)?|\w+_PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/
/** Before a name that somebody takes for one of this program. */
const OWN_PREFIX = 'DRIVEQR_'
const MOST_EDITS = 2

/** Finds the variables that nobody reads but that look like a known setting, or begin as several of them do. */
export function findMisspelt(names: readonly string[], known: readonly string[]): Misspelt[] {
  const prefixes = [OWN_PREFIX, ...sharedPrefixes(known)]
  return (
    names
      .filter((name) => !known.includes(name) && !OF_OTHERS.test(name))
      // Only secrets may be in a file: PORT_FILE is a slip for PORT.
      .map((name) => ({
        name,
        like: nearest(name, known) ?? nearest(name.replace(/_FILE$/, ''), known),
      }))
      .filter(({ name, like }) => like || prefixes.some((prefix) => name.startsWith(prefix)))
  )
}

/** Describes misspelt settings on one line. */
export function describeMisspelt(misspelt: readonly Misspelt[]): string {
  const names = misspelt.map(({ name, like }) => (like ? `${name} (${like}?)` : name))
  return `not a setting of DriveQR: ${names.join(', ')}`
}

/** The first words that several settings have, such as `RETENTION_`. */
function sharedPrefixes(known: readonly string[]): string[] {
  const words = known.flatMap((name) => /^[A-Z]+_/.exec(name)?.[0] ?? [])
  return [...new Set(words.filter((word, at) => words.indexOf(word) !== at))]
}

/** The setting that a name resembles most, also after the prefix of this program. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const typed = name.startsWith(OWN_PREFIX) ? name.slice(OWN_PREFIX.length) : name
  const near = known
    .map((setting) => ({ setting, edits: countEdits(typed.toUpperCase(), setting) }))
    // Half of a short name is another word: HOME is no slip for HOST.
    .filter(({ setting, edits }) => edits <= MOST_EDITS && edits < setting.length / 2)
  return near.sort((a, b) => a.edits - b.edits)[0]?.setting
}

/** Counts the letters to add, remove, replace and swap between two words, up to `MOST_EDITS`. */
function countEdits(from: string, to: string, left = MOST_EDITS): number {
  if (from === to) return 0
  if (left === 0 || Math.abs(from.length - to.length) > left) return MOST_EDITS + 1
  const at = [...from].findIndex((letter, i) => letter !== to[i])
  const same = at < 0 ? from.length : at
  const [a, b] = [from.slice(same), to.slice(same)]
  const ways: [string, string][] = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
  ]
  if (a[0] === b[1] && a[1] === b[0]) ways.push([a.slice(2), b.slice(2)])
  return 1 + Math.min(...ways.map(([rest, other]) => countEdits(rest, other, left - 1)))
}
