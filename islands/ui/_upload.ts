import { useEffect, useRef, useState } from 'react'
import { type FileRule, fileProblem } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api-problem.ts'
import { dismissErrors, showResult } from '#islands/ui/_result.ts'
import { makeSmaller } from '#islands/ui/_smaller-photo.ts'
import { uploadFile } from '#islands/ui/_upload-file.ts'
import { type RefusalTexts, refusalText } from '#locales/refusal.ts'

/**
 * Sends the chosen files of a form one after another, with progress. A refused file stays chosen;
 * A photo above the limit of `rule` is made smaller before. `texts` has `FILE_REFUSALS`, and `failed` is the text of
 * a failure for which the server gives no reason.
 */
export function useUpload(rule: FileRule, texts: RefusalTexts, failed: string) {
  const input = useRef<HTMLInputElement>(null)
  const sending = useRef<AbortController>(null)
  const [scripted, setScripted] = useState(false)
  const [files, setFiles] = useState<File[]>([])
  const choices = useRef(0)
  const [percent, setPercent] = useState<number>()
  useEffect(() => {
    setScripted(true)
    // A file may have been chosen before the script was loaded.
    void fitFiles([...(input.current?.files ?? [])], rule).then((early) => {
      if (choices.current === 0) setFiles(early)
    })
    return () => sending.current?.abort()
  }, [rule])
  async function choose(chosen: File[]): Promise<void> {
    choices.current += 1
    const choice = choices.current
    const fitting = await fitFiles(chosen, rule)
    if (choice === choices.current) setFiles(fitting)
  }
  const [file, ...rest] = files
  const refusal = file ? fileProblem(file, rule) : undefined
  const problem = refusal && refusalText(texts, refusal)

  /** Sends the first file and answers what the server made of it; undefined when it was refused. */
  async function send<T>(
    path: string,
    fields: Record<string, string> = {},
    refuse = ({ message }: ApiProblem) => showResult(message || failed, 'error'),
  ): Promise<T | undefined> {
    dismissErrors()
    if (!file || problem) {
      showResult(problem ?? refusalText(texts, 'invalid.no_file'), 'error')
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

/** Makes the photos smaller that are above the limit, one after another, because each takes much memory. */
async function fitFiles(chosen: File[], { maxBytes }: FileRule): Promise<File[]> {
  const fitting: File[] = []
  for (const file of chosen) fitting.push(file.size > maxBytes ? await makeSmaller(file) : file)
  return fitting
}
