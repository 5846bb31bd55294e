/** What the server refused, or `status` 0 when there was no answer at all. */
export class ApiProblem extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** What is said of something whose state has moved on. */
export function movedOn(error: unknown): string | undefined {
  return error instanceof ApiProblem && error.status === 409 ? error.message : undefined
}

/** Whether what the call was about is no longer there. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404
}
