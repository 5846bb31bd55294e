/** A refusal of the server, or `status` 0 without any answer. */
export class ApiProblem extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
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
