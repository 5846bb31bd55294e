/** The one module that uses the client of S3. */
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Storage } from '#config.ts'
import type { ByteRange } from '#domain/papers/byte-range.ts'
import { asFailure, isAbsent, whyNotStored } from '#storage/s3-errors.ts'

/** The least that S3 takes as a part. One part of each upload is in memory. */
const PART_BYTES = 5 * 1024 * 1024
const CONNECT_MS = 5_000
/** Until the answer begins, and between two pieces of it. */
const ANSWER_MS = 15_000
/** Until the answer to a part of an archive, which goes over the uplink of a household. */
const ARCHIVE_ANSWER_MS = 10 * 60_000
/** S3 takes 10,000 parts. */
const MOST_PARTS = 9_000
const MOST_TRIES = 4
/** Readers on slow connections keep theirs. */
const MOST_CONNECTIONS = 512

/** A part of an upload, or a hold, this old is one of a process that was killed. */
const DEAD_AFTER_MS = 12 * 3_600_000

/** Returns whether the process that began this is dead. */
export function isDead(since: Date | undefined, now: Date): boolean {
  return since !== undefined && now.getTime() - since.getTime() > DEAD_AFTER_MS
}

/** Written and deleted to see whether that is allowed. */
const PROBE = 'probe'

/** Opens the objects of a bucket below a prefix. Its functions throw failures of the shelf. */
export function openObjects(at: Storage, client = clientOf(at, MOST_TRIES)) {
  const { bucket: Bucket, prefix } = at
  const object = (name: string) => ({ Bucket, Key: `${prefix}${name}` })

  async function* list(under: string) {
    let ContinuationToken: string | undefined
    do {
      const request = { Bucket, Prefix: `${prefix}${under}`, Delimiter: '/', ContinuationToken }
      const page = await ask(() => client.send(new ListObjectsV2Command(request)))
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        yield { name: Key.slice(prefix.length + under.length), at: LastModified }
      }
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
  }

  return {
    list,
    /** Lists all before the caller removes any. */
    async all(under: string) {
      const found: { name: string; at: Date | undefined }[] = []
      for await (const each of list(under)) found.push(each)
      return found
    },
    head: (name: string) => absentAs(() => client.send(new HeadObjectCommand(object(name)))),
    read: (name: string, part: ByteRange) => readObject(client, object(name), part),
    text: (name: string) =>
      absentAs(async () => {
        const { Body } = await client.send(new GetObjectCommand(object(name)))
        return Body?.transformToString()
      }),
    async write(name: string, Body: string): Promise<void> {
      await ask(() => client.send(new PutObjectCommand({ ...object(name), Body })))
    },
    /** `bytes` is the size where it may be large. An object is there only once it is complete. */
    async upload(Body: Readable, name: string, bytes = 0): Promise<void> {
      const params = { ...object(name), Body }
      const partSize = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS))
      const upload = () => new Upload({ client, params, partSize, queueSize: 1 }).done()
      await ask(upload).finally(() => Body.destroy())
    },
    async copy(name: string, to: string): Promise<void> {
      const CopySource = `${Bucket}/${prefix}${name}`
      await ask(() => client.send(new CopyObjectCommand({ ...object(to), CopySource })))
    },
    async remove(name: string): Promise<void> {
      await ask(() => client.send(new DeleteObjectCommand(object(name))))
    },
    /** Aborts unfinished uploads. Their parts are in no list of objects, but they are paid for. */
    async abortUploads(isDead: (since: Date | undefined, name: string) => boolean): Promise<void> {
      const { Uploads = [] } = await ask(() =>
        client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })),
      )
      for (const { Key = '', UploadId, Initiated } of Uploads) {
        if (!isDead(Initiated, Key.slice(prefix.length))) continue
        const upload = { Bucket, Key, UploadId }
        await absentAs(() => client.send(new AbortMultipartUploadCommand(upload)))
      }
    },
    /** Opens a folder below the prefix on the same connections. */
    beside: (folder: string) => openObjects({ ...at, prefix: `${prefix}${folder}/` }, client),
  }
}

export type S3Objects = ReturnType<typeof openObjects>

async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFailure(error)
  }
}

/** Returns undefined when an object is absent. */
function absentAs<T>(work: () => Promise<T>): Promise<T | undefined> {
  return ask(() =>
    work().catch((error) => {
      if (!isAbsent(error)) throw error
      return undefined
    }),
  )
}

/** Opens the objects for archives, with patience for their large parts. */
export function openArchives(at: Storage): S3Objects {
  return openObjects(at, clientOf(at, MOST_TRIES, ARCHIVE_ANSWER_MS))
}

function clientOf(
  { endpoint, region, credentials }: Storage,
  maxAttempts: number,
  answerMs = ANSWER_MS,
): S3Client {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const agent = { keepAlive: true, maxSockets: MOST_CONNECTIONS }
  return new S3Client({
    ...(endpoint && { endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    // Names of buckets before the endpoint's would need a certificate and a name server for each.
    forcePathStyle: endpoint !== undefined,
    maxAttempts,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}

/** Tries everything that the service does. Throws an Error with one line for the operator. */
export async function checkBucket(at: Storage): Promise<void> {
  // A second try would hide that the clock is wrong, because the client learns the right time.
  const client = clientOf(at, 1)
  const probe = { Bucket: at.bucket, Key: `${at.prefix}${PROBE}` }
  const attempt = (may: string, work: () => Promise<unknown>) =>
    work().catch((error) => {
      throw whyNotStored(error, at, may)
    })
  const listed = { Bucket: at.bucket, Prefix: at.prefix, MaxKeys: 1 }
  try {
    await attempt('list files', () => client.send(new ListObjectsV2Command(listed)))
    await attempt('write files', () => client.send(new PutObjectCommand({ ...probe, Body: PROBE })))
    const read = attempt('read files', () => client.send(new HeadObjectCommand(probe)))
    await Promise.allSettled([read])
    await attempt('delete files', () => client.send(new DeleteObjectCommand(probe)))
    await read
  } finally {
    client.destroy()
  }
}

/**
 * Streams a part of an object with backpressure, opened on the first read. Where the connection
 * breaks, it goes on behind the last received byte. An object that is read whole and without a break
 * is compared with the checksum of S3 before its last piece is given.
 */
function readObject(
  client: S3Client,
  object: { Bucket: string; Key: string },
  { first, last }: ByteRange,
): ReadableStream {
  let at = first
  let body: Readable | undefined
  let pieces: AsyncIterator<Uint8Array> | undefined
  let breaks = 0
  let isCancelled = false

  async function open(): Promise<AsyncIterator<Uint8Array>> {
    const part = at === 0 ? { ChecksumMode: 'ENABLED' as const } : { Range: `bytes=${at}-${last}` }
    const { Body } = await client.send(new GetObjectCommand({ ...object, ...part }))
    body = Body as Readable
    return body[Symbol.asyncIterator]()
  }

  async function next(): Promise<Uint8Array> {
    for (;;) {
      try {
        pieces ??= await open()
        const { value } = await pieces.next()
        if (!value) throw new Error('A stored file is shorter than it was')
        return value.subarray(0, last + 1 - at)
      } catch (error) {
        body?.destroy()
        pieces = undefined
        if (isCancelled || isAbsent(error) || ++breaks === MOST_TRIES) throw error
      }
    }
  }

  /** The end of the body is where the checksum is known: it throws where that is another one. */
  async function settle(): Promise<void> {
    const rest = await pieces?.next()
    if (!rest?.done) body?.destroy()
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          if (at > last) return controller.close()
          const piece = await next()
          at += piece.length
          if (at > last) await settle()
          controller.enqueue(piece)
          if (at > last) controller.close()
        } catch (error) {
          body?.destroy()
          controller.error(error)
        }
      },
      cancel() {
        isCancelled = true
        body?.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
