import type { TestApp } from '#tests/support/app.ts'

type Fields = Record<string, string> | [string, string][]

/** Opens pages and submits forms as a browser without script does that has these cookies. */
export function browserOf({ ask }: Pick<TestApp, 'ask'>, { cookie }: { cookie?: string } = {}) {
  async function request(method: string, path: string, body?: BodyInit) {
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...(cookie && { Cookie: cookie }) }
    const answer = await ask(method, path, { headers, ...(body && { body }) })
    const { status, headers: answered } = answer
    return { status, headers: answered, to: answered.get('Location'), html: await answer.text() }
  }
  const open = (path: string) => request('GET', path)
  const read = async (path: string) => (await open(path)).html
  const submit = (path: string, fields: Fields | FormData = {}) =>
    request('POST', path, fields instanceof FormData ? fields : new URLSearchParams(fields))
  return { open, read, submit }
}
