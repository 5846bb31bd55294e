/**
 * A server of S3 for tests. It checks the signature of each request (AWS Signature Version 4), the
 * hash and the checksum of each body, and the clock of the client; and it fails when it is told to.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'

export const KEY = { accessKeyId: 'AKIATESTS', secretAccessKey: 'the/secret+of the tests' }
export const BUCKET = 'tests'
const REGION = 'ap-south-1'
const MOST_SKEW_MS = 15 * 60_000
const [SLOW_MS, VERY_SLOW_MS] = [300, 1_500]
const SMALLEST_PART = 5 * 1024 * 1024

type Stored = { body: Buffer; at: Date; checksum: string | undefined }
type Request = {
  method: string
  key: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}
type Answer = { status: number; headers?: Record<string, string>; body?: Buffer | string }
/** A fault in place of an answer, or after it. */
export type Fault =
  | 'busy'
  | 'cut'
  | 'cut within the answer'
  | 'changed on the way'
  | 'slow'
  | 'very slow'
  | { code: string; status: number }
/** Chooses a fault for a request; undefined for none. */
export type Trouble = (request: { method: string; key: string }) => Fault | undefined

class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

export type S3Server = Awaited<ReturnType<typeof startS3Server>>

export async function startS3Server() {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, { key: string; at: Date; parts: Map<number, Buffer> }>()
  const requests: { method: string; key: string }[] = []
  let trouble: Trouble = () => undefined

  function answer(request: Request): Answer {
    const { method, key, query } = request
    if (!key && method === 'GET') return query.has('uploads') ? listUploads(query) : list(query)
    if (method === 'POST') return query.has('uploads') ? begin(key) : complete(request)
    if (method === 'PUT' && query.has('uploadId')) return putPart(request)
    if (method === 'PUT') return request.headers['x-amz-copy-source'] ? copy(request) : put(request)
    if (method === 'DELETE' && query.has('uploadId')) {
      uploads.delete(query.get('uploadId') ?? '')
      return { status: 204 }
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return { status: 204 }
    }
    if (method === 'GET' || method === 'HEAD') return read(request)
    throw new Refusal(405, 'MethodNotAllowed')
  }

  function list(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? ''
    const most = Math.min(Number(query.get('max-keys') ?? 1000), 1000)
    const after = query.get('continuation-token') ?? ''
    const isDirect = (key: string) => !key.slice(prefix.length).includes('/')
    const found = [...objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .filter((key) => query.get('delimiter') !== '/' || isDirect(key))
      .sort()
    const page = found.slice(0, most)
    const isTruncated = found.length > page.length
    const contents = page.map((key) => {
      const { at, body } = objects.get(key) as Stored
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`
    })
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(
      'ListBucketResult',
      `${contents.join('')}<IsTruncated>${isTruncated}</IsTruncated>${next}`,
    )
  }

  function listUploads(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? ''
    const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
    const listed = found.map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    )
    return xml('ListMultipartUploadsResult', listed.join(''))
  }

  function begin(key: string): Answer {
    const id = randomUUID()
    uploads.set(id, { key, at: new Date(), parts: new Map() })
    return xml('InitiateMultipartUploadResult', `<Key>${key}</Key><UploadId>${id}</UploadId>`)
  }

  function uploadOf(query: URLSearchParams) {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (!upload) throw new Refusal(404, 'NoSuchUpload')
    return upload
  }

  function putPart({ query, body }: Request): Answer {
    uploadOf(query).parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { ETag: etagOf(body) } }
  }

  function complete({ key, query, body }: Request): Answer {
    const { parts } = uploadOf(query)
    const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([part]) => ({
      n: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }))
    const pieces = named.map(({ n, etag }, i) => {
      const piece = parts.get(n)
      if (!piece || etagOf(piece) !== etag) throw new Refusal(400, 'InvalidPart')
      const isLast = i === named.length - 1
      if (!isLast && piece.length < SMALLEST_PART) throw new Refusal(400, 'EntityTooSmall')
      return piece
    })
    uploads.delete(query.get('uploadId') ?? '')
    objects.set(key, { body: Buffer.concat(pieces), at: new Date(), checksum: undefined })
    return xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`)
  }

  function put({ key, body, headers }: Request): Answer {
    const checksum = headers['x-amz-checksum-crc32'] as string | undefined
    objects.set(key, { body, at: new Date(), checksum })
    return { status: 200, headers: { ETag: etagOf(body) } }
  }

  function copy({ key, headers }: Request): Answer {
    const from = decodeURIComponent(String(headers['x-amz-copy-source']))
    const source = objects.get(from.replace(/^\//, '').slice(BUCKET.length + 1))
    if (!source) throw new Refusal(404, 'NoSuchKey')
    objects.set(key, { ...source, at: new Date() })
    return xml('CopyObjectResult', `<ETag>${etagOf(source.body)}</ETag>`)
  }

  function read({ method, key, headers }: Request): Answer {
    const found = objects.get(key)
    if (!found) throw new Refusal(404, 'NoSuchKey')
    const { body, at, checksum } = found
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')
    if (range && Number(range[1]) >= body.length) throw new Refusal(416, 'InvalidRange')
    const last = Math.min(Number(range?.[2] || Number.MAX_SAFE_INTEGER), body.length - 1)
    const part = range ? body.subarray(Number(range[1]), last + 1) : body
    const isAsked = headers['x-amz-checksum-mode'] === 'ENABLED' && !range
    return {
      status: range ? 206 : 200,
      headers: {
        ETag: etagOf(body),
        'Last-Modified': at.toUTCString(),
        'Content-Length': String(part.length),
        ...(isAsked && checksum && { 'x-amz-checksum-crc32': checksum }),
      },
      ...(method === 'GET' && { body: part }),
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', 'http://s3')
    const [, bucket = '', ...path] = url.pathname.split('/')
    const key = decodeURIComponent(path.join('/'))
    const { method = '', headers } = incoming
    requests.push({ method, key })
    const fault = trouble({ method, key })
    if (fault === 'cut') return void incoming.socket.destroy()
    const body = await buffer(incoming)
    if (fault === 'slow') await sleep(SLOW_MS)
    if (fault === 'very slow') await sleep(VERY_SLOW_MS)
    let made: Answer
    try {
      assertSigned(incoming, url, body)
      assertWhole(headers, body)
      if (fault === 'busy') throw new Refusal(503, 'SlowDown')
      if (typeof fault === 'object') throw new Refusal(fault.status, fault.code)
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
      made = answer({ method, key, query: url.searchParams, headers, body })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      made = {
        ...xml('Error', `<Code>${error.code}</Code><Message>${error.code} was said</Message>`),
        status: error.status,
      }
    }
    // The test's clock: the client corrects its own by it.
    response.writeHead(made.status, { Date: new Date().toUTCString(), ...made.headers })
    if (method === 'HEAD') return void response.end()
    const sent = Buffer.from(made.body ?? '')
    if (fault === 'changed on the way') sent[sent.length >> 1] = (sent[sent.length >> 1] ?? 0) ^ 1
    if (fault !== 'cut within the answer') return void response.end(sent)
    response.write(sent.subarray(0, sent.length >> 1), () => incoming.socket.destroy())
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    objects,
    uploads,
    requests,
    /** The setting for a folder of the bucket. */
    urlOf: (prefix: string, bucket = BUCKET) =>
      `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=${REGION}`,
    /** The names of the objects under a prefix, as they are in a folder. */
    namesIn: (prefix: string) =>
      [...objects.keys()]
        .filter((key) => key.startsWith(`${prefix}/`))
        .map((key) => key.slice(prefix.length + 1)),
    cause(next: Trouble) {
      trouble = next
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function xml(root: string, content: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root}>`
  return { status: 200, headers: { 'Content-Type': 'application/xml' }, body }
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Checks a signature by "Authenticating Requests (AWS Signature Version 4)" of S3's reference. */
function assertSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): void {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!parts) throw new Refusal(403, 'AccessDenied')
  const [, id, day = '', region = '', names = '', signature] = parts
  if (id !== KEY.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId')
  if (region !== REGION) throw new Refusal(400, 'AuthorizationHeaderMalformed')
  const at = String(headers['x-amz-date'])
  const time = at.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (Math.abs(Date.parse(time) - Date.now()) > MOST_SKEW_MS) {
    throw new Refusal(403, 'RequestTimeTooSkewed')
  }
  const signed = names.split(';')
  for (const name of Object.keys(headers)) {
    const mustBe = name === 'host' || name.startsWith('x-amz-')
    if (mustBe && !signed.includes(name)) throw new Refusal(403, 'AccessDenied')
  }
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const hash = String(headers['x-amz-content-sha256'])
  const canonical = [
    method,
    url.pathname,
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce(
    (made, part) => hmac(made, part),
    hmac(`AWS4${KEY.secretAccessKey}`, day),
  )
  if (hmac(key, text).toString('hex') !== signature) {
    throw new Refusal(403, 'SignatureDoesNotMatch')
  }
  if (hash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
}

/** A body without a checksum is not accepted, so that no upload goes unchecked. */
function assertWhole(headers: IncomingMessage['headers'], body: Buffer): void {
  const sent = headers['x-amz-checksum-crc32']
  if (body.length > 0 && sent === undefined && !headers['content-type']?.includes('xml')) {
    throw new Refusal(400, 'MissingChecksum')
  }
  if (sent === undefined) return
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  if (sum.toString('base64') !== sent) throw new Refusal(400, 'BadDigest')
}
