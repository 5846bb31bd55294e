import { useEffect, useRef, useState } from 'react'
import { type FileRule, fileProblem, NO_FILE } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api-problem.ts'
import { dismissErrors, showToast } from '#islands/ui/_toast.ts'
import { uploadFile } from '#islands/ui/_upload-file.ts'

/**
 * Sends the chosen files of a form one after another, with progress. A refused file stays chosen;
 * `failed` is the text of a failure for which the server gives no reason.
 */
export function useUpload(rule: FileRule, failed: string) {
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
  const problem = file && fileProblem(file, rule)

  /** Sends the first file and answers what the server made of it; undefined when it was refused. */
  async function send<T>(
    path: string,
    fields: Record<string, string> = {},
    refuse = ({ message }: ApiProblem) => showToast(message || failed, 'error'),
  ): Promise<T | undefined> {
    dismissErrors()
    if (!file || problem) {
      showToast(problem ?? NO_FILE, 'error')
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
