/** The text format of Prometheus, version 0.0.4. */

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Record<string, string | number>
/** `suffix` follows the name of a histogram's series. */
export type Sample = { value: number; labels?: Labels; suffix?: string }
export type Family = {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  samples: Sample[]
}

/** Returns a family with one series, which has no labels. */
export function single(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: number,
): Family {
  return { name, type, help, samples: [{ value }] }
}

/** Returns the answer to a scrape. Names and help must not contain line breaks. */
export function toExposition(families: readonly Family[]): string {
  return families.map((family) => `${linesOf(family).join('\n')}\n`).join('')
}

function linesOf({ name, type, help, samples }: Family): string[] {
  const series = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${inBraces(labels)} ${value}`,
  )
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...series]
}

function inBraces(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(`${value}`)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

export type Histogram = ReturnType<typeof createHistogram>

/** Counts values by the smallest bound that is not below them. A value costs no memory. */
export function createHistogram(bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length + 1)
  const sums = new Float64Array(1)
  return {
    observe(value: number): void {
      let i = 0
      while (i < bounds.length && value > (bounds[i] as number)) i++
      counts[i] = (counts[i] as number) + 1
      sums[0] = (sums[0] as number) + value
    },
    sum: (): number => sums[0] as number,
    /** The series of a family, whose buckets contain those below them. */
    toSamples(labels: Labels = {}): Sample[] {
      let below = 0
      const buckets = [...bounds, '+Inf'].map((le, i) => {
        below += counts[i] as number
        return { suffix: '_bucket', labels: { ...labels, le }, value: below }
      })
      return [
        ...buckets,
        { suffix: '_sum', labels, value: sums[0] as number },
        { suffix: '_count', labels, value: below },
      ]
    },
  }
}
