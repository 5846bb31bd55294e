/** The program of a thread that does one piece of work and ends. */
import { lowerPriorityOfThread } from '#storage/lower-priority.ts'

// First, because loading the rest takes longer than much of the work.
lowerPriorityOfThread()
await import('#server/thread-work.ts')
