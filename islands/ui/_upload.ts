import { useEffect, useRef, useState } from 'react'
import { type FileRule, fileProblem } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api-problem.ts'
import { dismissErrors, showToast } from '#islands/ui/_toast.ts'
import { uploadFile } from '#islands/ui/_upload-file.ts'
import { type RefusalTexts, refusalText } from '#locales/refusal.ts'

/**
 * Sends the chosen files of a form one after another, with progress. A refused file stays chosen;
 * `texts` has `FILE_REFUSALS`, and
 * `failed` is the text of a failure for which the server gives no reason.
 */
export function useUpload(rule: FileRule, texts: RefusalTexts, failed: string) {
  const input = useRef<HTMLInputElement>(null)
  const sending = useRef<AbortController>(null)
  const [scripted, setScripted] = useState(false)
  const [files, choose] = useState<File[]>([])
  const [percent, setPercent] = useState<number>()
  useEffect(() => {
    setScripted(true)
    // A file may have been chosen before the script was loaded.
    choose([...(input.current?.files ?? [])])
    return () => sending.current?.abort()
  }, [])
  const [file, ...rest] = files
  const refusal = file ? fileProblem(file, rule) : undefined
  const problem = refusal && refusalText(texts, refusal)

  /** Sends the first file and answers what the server made of it; undefined when it was refused. */
  async function send<T>(
    path: string,
    fields: Record<string, string> = {},
    refuse = ({ message }: ApiProblem) => showToast(message || failed, 'error'),
  ): Promise<T | undefined> {
    dismissErrors()
    if (!file || problem) {
      showToast(problem ?? refusalText(texts, 'invalid.no_file'), 'error')
      return undefined
    }
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('file', file)
    sending.current = new AbortController()
    const { signal } = sending.current
    setPercent(0)
    try {
      return await uploadFile<T>(path, body, { onPercent: setPercent, signal })
    } catch (error) {
      if (!signal.aborted) refuse(error as ApiProblem)
      return undefined
    } finally {
      setPercent(undefined)
    }
  }

  return { input, scripted, file, rest, choose, problem, percent, send }
}
