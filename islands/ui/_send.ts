/** The answer to a form's request, as far as a page uses it. */
export type Answer = Pick<Response, 'ok' | 'status' | 'type' | 'redirected' | 'url' | 'text'>

/**
 * Sends a form and shows the progress in its `[data-sending]`, which `fetch` cannot report. Throws when there is
 * no answer.
 */
export function sendWithProgress(
  form: HTMLFormElement,
  url: string,
  body: FormData,
): Promise<Answer> {
  const shown = form.querySelector<HTMLElement>('[data-sending]')
  const bar = shown?.querySelector('progress')
  const status = shown?.querySelector('[role="status"]')
  if (shown) shown.hidden = false
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('Accept', 'text/html')
    request.upload.onprogress = ({ loaded, total }) => {
      bar?.setAttribute('value', String(Math.floor((100 * loaded) / total)))
    }
    // The server does not report its progress, so the bar becomes indeterminate.
    request.upload.onload = () => {
      bar?.removeAttribute('value')
      if (status) status.textContent = 'Reading the table…'
    }
    request.onload = () => resolve(answerOf(request, url))
    request.onerror = () => reject(new Error('There was no answer'))
    request.send(body)
  }).finally(() => {
    if (shown) shown.hidden = true
  })
}

function answerOf({ status, responseURL, responseText }: XMLHttpRequest, url: string): Answer {
  return {
    ok: status >= 200 && status < 300,
    status,
    type: 'basic',
    redirected: new URL(url, location.href).href !== responseURL,
    url: responseURL,
    text: async () => responseText,
  }
}
