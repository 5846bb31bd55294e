/**
 * The process that draws images, one for each message. It ends when its server does, which Ctrl+C
 * and systemd send a signal to at the same time: an upload under way is finished first.
 */
import { DomainError } from '#domain/error.ts'
import type { Answer } from '#storage/image-process.ts'
import { type Drawing, drawImage, type FrameDrawing } from '#storage/images.ts'

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
// An exit would wait until the image is drawn.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', async (drawing: Drawing | FrameDrawing) =>
  process.send?.(await answer(drawing)),
)

async function answer(drawing: Drawing | FrameDrawing): Promise<Answer> {
  try {
    return { image: await drawImage(drawing) }
  } catch (error) {
    const { message } = error as Error
    return error instanceof DomainError
      ? { refusal: { code: error.code, message } }
      : { error: message }
  }
}
