/** The one module that uses the client of S3. */
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
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
import { kindOfStoredName } from '#domain/papers/file-kind.ts'
import { asFailure, isAbsent, whyNotStored } from '#storage/s3-errors.ts'
import type { Shelf } from '#storage/shelf.ts'

/** The least that S3 takes as a part. One part of each upload is in memory. */
const PART_BYTES = 5 * 1024 * 1024
const CONNECT_MS = 5_000
/** Until the answer begins, and between two pieces of it. */
const ANSWER_MS = 15_000
const MOST_TRIES = 4
/** Readers on slow connections keep theirs. */
const MOST_CONNECTIONS = 512
/** A part of an upload, or a hold, this old is one of a process that was killed. */
const DEAD_AFTER_MS = 12 * 3_600_000

/** Beside the stored files: to which installation they belong. */
const OWNER = 'install-id'
/** One object for each backup that is being made; while there is one, removed files stay. */
const HOLDS = 'holds/'
/** Names of files that are removed when no hold is left. */
const HELD = 'held/'
/** Written and deleted to see whether that is allowed. */
const PROBE = 'probe'

export type S3Shelf = Shelf & {
  /** Throws when the files here belong to another installation; the first one notes its id. */
  claim(installId: string): Promise<void>
  /** The same with further ids beside those that are noted, or alone. */
  setOwners(installIds: string[]): Promise<void>
  owners(): Promise<string[]>
  listStored(): Promise<string[]>
  /** Copies a stored file within the bucket, under a folder. */
  copyAside(name: string, folder: string): Promise<void>
  removeAside(name: string, folder: string): Promise<void>
}

/** Returns the stored files in a bucket of S3. */
export function openS3Shelf(at: Storage, client = clientOf(at, MOST_TRIES)): S3Shelf {
  const { bucket: Bucket, prefix, endpoint } = at
  const object = (name: string) => ({ Bucket, Key: `${prefix}${name}` })

  async function ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw asFailure(error)
    }
  }

  const absentAs = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    ask(() =>
      work().catch((error) => {
        if (!isAbsent(error)) throw error
        return undefined
      }),
    )

  const head = (name: string) => absentAs(() => client.send(new HeadObjectCommand(object(name))))

  async function write(name: string, Body: string): Promise<void> {
    await ask(() => client.send(new PutObjectCommand({ ...object(name), Body })))
  }

  async function remove(name: string): Promise<void> {
    await ask(() => client.send(new DeleteObjectCommand(object(name))))
  }

  async function* list(under: string) {
    let ContinuationToken: string | undefined
    do {
      const asked = { Bucket, Prefix: `${prefix}${under}`, Delimiter: '/', ContinuationToken }
      const page = await ask(() => client.send(new ListObjectsV2Command(asked)))
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        yield { name: Key.slice(prefix.length + under.length), at: LastModified }
      }
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
  }

  async function all(under: string) {
    const found: { name: string; at: Date | undefined }[] = []
    for await (const each of list(under)) found.push(each)
    return found
  }

  /** A hold of a killed process counts until a sweep or the next backup finds it. */
  async function isHeld(): Promise<boolean> {
    for await (const _ of list(HOLDS)) return true
    return false
  }

  async function releaseUnlessHeld(): Promise<void> {
    if (await isHeld()) return
    for (const { name } of await all(HELD)) {
      await remove(name)
      await remove(`${HELD}${name}`)
    }
  }

  async function endDeadHolds(now: Date): Promise<void> {
    for (const { name, at } of await all(HOLDS)) {
      if (isDead(at, now)) await remove(`${HOLDS}${name}`)
    }
  }

  /** Parts that a killed process has sent. They are in no list of objects, but they are paid for. */
  async function abortDead(now: Date): Promise<void> {
    const { Uploads = [] } = await ask(() =>
      client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })),
    )
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (!isDead(Initiated, now)) continue
      await absentAs(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
    }
  }

  const owners = async () => {
    const noted = await absentAs(async () => {
      const { Body } = await client.send(new GetObjectCommand(object(OWNER)))
      return Body?.transformToString()
    })
    return noted?.split('\n').filter(Boolean) ?? []
  }

  return {
    place: `s3://${Bucket}/${prefix}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`,
    async put(files) {
      for (const { path, name } of files) {
        await access(path)
        const params = { ...object(name), Body: createReadStream(path) }
        await ask(() =>
          new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done(),
        ).finally(() => params.Body.destroy())
      }
    },
    async remove(name) {
      if (await isHeld()) await write(`${HELD}${name}`, name)
      else await remove(name)
    },
    size: async (name) => (await head(name))?.ContentLength,
    read: (name, part) => readObject(client, object(name), part),
    async whole(name) {
      const size = (await head(name))?.ContentLength
      if (size === undefined) return undefined
      return piecesOf(readObject(client, object(name), { first: 0, last: size - 1 }))
    },
    list: async () => (await all('')).map(({ name }) => name),
    changedAt: async (name) => (await head(name))?.LastModified,
    beside: (folder) => openS3Shelf({ ...at, prefix: `${prefix}${folder}/` }, client),
    async hold(now) {
      await endDeadHolds(now)
      const mine = `${HOLDS}${crypto.randomUUID()}`
      await write(mine, mine)
      return async () => {
        await remove(mine)
        await releaseUnlessHeld()
      }
    },
    async clean(now) {
      await endDeadHolds(now)
      await releaseUnlessHeld()
      await abortDead(now)
    },
    async probe() {
      if (!(await head(OWNER))) throw new Error(`${OWNER} is missing in the bucket`)
    },
    check: () => checkShelf(at),
    listStored: async () => (await all('')).map(({ name }) => name).filter(kindOfStoredName),
    async copyAside(name, folder) {
      const CopySource = `${Bucket}/${prefix}${name}`
      await ask(() =>
        client.send(new CopyObjectCommand({ ...object(`${folder}${name}`), CopySource })),
      )
    },
    removeAside: (name, folder) => remove(`${folder}${name}`),
    owners,
    setOwners: (ids) => write(OWNER, ids.join('\n')),
    async claim(installId) {
      const noted = await owners()
      if (noted.length === 0) await write(OWNER, installId)
      else if (!noted.includes(installId)) {
        throw new Error(
          `The files in ${at.bucket}/${prefix} belong to another installation: give STORAGE_URL another prefix`,
        )
      }
    },
  }
}

function isDead(since: Date | undefined, now: Date): boolean {
  return since !== undefined && now.getTime() - since.getTime() > DEAD_AFTER_MS
}

function clientOf({ endpoint, region, credentials }: Storage, maxAttempts: number): S3Client {
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
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}

/** Tries everything that the service does. Throws an Error with one line for the operator. */
export async function checkShelf(at: Storage): Promise<void> {
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

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of stream) {
    yield Buffer.from(buffer, byteOffset, byteLength)
  }
}
