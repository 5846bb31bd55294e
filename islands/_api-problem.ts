/** A refusal of the server, with its code in `subject`; or `status` 0 without any answer. */
export class ApiProblem extends Error {
  readonly status: number
  readonly body: unknown
  readonly subject: string

  constructor(status: number, message: string, body?: unknown, subject = '') {
    super(message)
    this.status = status
    this.body = body
    this.subject = subject
  }
}

/** Returns the sentence of a conflict with a newer state. */
export function movedOn(error: unknown): string | undefined {
  return error instanceof ApiProblem && error.status === 409 ? error.message : undefined
}

/** Returns whether the subject of the call no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404
}
