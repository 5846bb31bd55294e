import { ApiProblem } from '#islands/_api-problem.ts'
import { proxyProblem } from '#islands/_proxy-problem.ts'

const SESSION_KEY = 'driveqr_session'

export function keepSession(token: string): void {
  localStorage.setItem(SESSION_KEY, token)
}

export function forgetSession(): void {
  localStorage.removeItem(SESSION_KEY)
}

/**
 * Calls the API as the signed-in account. Throws ApiProblem with the server's sentence, if any.
 * Where the session has ended it never returns: the page is on its way to the login then.
 */
export async function callApi<T>(method: string, path: string, payload?: unknown): Promise<T> {
  const headers: Record<string, string> = authorization()
  if (payload !== undefined) headers['Content-Type'] = 'application/json'
  const body = payload === undefined ? undefined : JSON.stringify(payload)
  const response = await fetch(`/api${path}`, { method, headers, body }).catch(() => undefined)
  if (!response) throw new ApiProblem(0, '')
  const answer = await response.json().catch(() => undefined)
  return readAnswer<T>(path, response.status, answer, response.headers.get('Refusal'))
}

/** Says who calls, to a browser that has kept it. */
export function authorization(): { Authorization?: string } {
  const token = localStorage.getItem(SESSION_KEY)
  return token ? { Authorization: `Bearer ${token}` } : {}
}

/** Returns the answer of a call; throws and leaves the page like `callApi`. */
export async function readAnswer<T>(
  path: string,
  status: number,
  answer: unknown,
  code?: string | null,
): Promise<T> {
  if (status >= 200 && status < 300) return answer as T
  if (status === 401 && !path.startsWith('/auth/')) return endSession()
  throw new ApiProblem(status, detailOf(answer) || proxyProblem(status), answer, code ?? undefined)
}

function endSession(): Promise<never> {
  forgetSession()
  location.assign('/login?expired=1')
  return new Promise(() => {})
}

function detailOf(answer: unknown): string {
  const detail = (answer as { detail?: unknown } | undefined)?.detail
  if (typeof detail === 'string') return detail
  return (detail as { message?: string } | undefined)?.message ?? ''
}
