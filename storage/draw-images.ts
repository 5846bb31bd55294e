/**
 * The process that draws images and opens PDFs, one for each message. Its argument is how much processor time
 * one may take, in milliseconds. It ends when its server does, which Ctrl+C
 * and systemd send a signal to at the same time: an upload under way is finished first.
 */
import type { DomainError } from '#domain/error.ts'
import type { Answer, Task } from '#storage/image-process.ts'
import { drawImage } from '#storage/images.ts'
import { openPdf } from '#storage/pdf.ts'

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
// An exit would wait until the image is drawn.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', async (task: Task) => {
  const watch = endWhenSpent()
  process.send?.(await answer(task))
  clearInterval(watch)
})

/** In milliseconds of processor time. */
const MOST = Number(process.argv[2])
const LOOK_EVERY_MS = 200

/** Drawing is done by another thread, which nothing but the end of the process stops. */
function endWhenSpent(): NodeJS.Timeout {
  const before = process.cpuUsage()
  return setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    // The signal of a timer that counts processor time.
    if ((user + system) / 1000 > MOST) process.kill(process.pid, 'SIGVTALRM')
  }, LOOK_EVERY_MS)
}

async function answer(task: Task): Promise<Answer> {
  try {
    return { done: await (task.as === 'pdf' ? openPdf(task) : drawImage(task)) }
  } catch (error) {
    const { refusal, message } = error as DomainError
    return refusal ? { refusal } : { error: message }
  }
}
