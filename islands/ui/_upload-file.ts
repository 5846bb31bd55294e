import { authorization, readAnswer } from '#islands/_api.ts'
import { ApiProblem } from '#islands/_api-problem.ts'

type Sending = { onPercent(percent: number): void; signal: AbortSignal }

/**
 * Sends a form with a file as the signed-in account, and says how far it is: `fetch` can't.
 * Throws the errors of `callApi`; status 0 also when `signal` ended it.
 */
export function uploadFile<T>(path: string, form: FormData, sending: Sending): Promise<T> {
  const { onPercent, signal } = sending
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api${path}`)
    for (const [name, value] of Object.entries(authorization())) {
      request.setRequestHeader(name, value)
    }
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onPercent(Math.floor((100 * loaded) / total))
    request.onload = () =>
      readAnswer<T>(path, request.status, request.response).then(resolve, reject)
    request.onerror = () => reject(new ApiProblem(0, ''))
    request.onabort = request.onerror
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
