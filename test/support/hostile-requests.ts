import fc from 'fast-check'
import { operations } from '../../src/api/api.ts'

/** Target of hostile requests. */
export interface Target {
  /** Base URL. */
  readonly url: string
  readonly key: string
  /** Ids of existing objects. */
  readonly ids: readonly string[]
}

/** A request without its target. */
export type HostileRequest = (target: Target) => string

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '%', '%00', '..', '\u0000', '\r\n', '[', '{', '"', '💩', '-1', 'null'),
  fc.constantFrom(
    '4242424242424242',
    '__proto__',
    '\u202e',
    '\u001b]8;;',
    `${'['.repeat(200)}`,
    '9'.repeat(400),
  ),
)
const knownMethod = fc.constantFrom('GET', 'POST', 'DELETE')
const method = fc.oneof(
  { weight: 3, arbitrary: knownMethod },
  fc.constantFrom('HEAD', 'PUT', 'OPTIONS', 'get', 'TRACE', 'M-SEARCH', ''),
)
const PAGES = [
  ...['/checkout/:id', '/sessions/:id', '/invoices/:id', '/3ds/:id', '/3ds/:id/done', '/checkout/:id/done'],
  ...['/checkout/:id/attempts/0', '/'],
]
const REPORTS = ['/v1/stream/results', '/v1/stream/leave']
const knownPath = fc.constantFrom(...operations.map(({ operation }) => operation.path), ...PAGES, ...REPORTS)
const id = fc.nat({ max: 3 })
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom('limit', 'created[gte]', 'starting_after', 'email', 'types[]'), text),
        text,
      ),
      { maxLength: 3 },
    )
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
)
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const fields = fc.constantFrom(
  'email',
  'amount',
  'currency',
  'customer',
  'subscription_data',
  'card',
  'test_card',
  'metadata',
  'url',
  'form_token',
)
/** Returns a body with this number of unknown fields. */
function wide(fieldCount: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: fieldCount }, (_, at) => [`k${at}`, at])))
}

const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(fields, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
    .map((object) => JSON.stringify(object)),
  fc.integer({ min: 1, max: 4000 }).map((depth) => '{"metadata":'.repeat(depth)),
  fc.integer({ min: 1, max: 4000 }).map(wide),
)
const form = fc
  .array(fc.tuple(fields, text), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const body = fc.oneof({ weight: 3, arbitrary: json }, form, text)
const header = fc.oneof(
  fc.constantFrom(
    'Content-Type: application/json',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Encoding: gzip',
    'Transfer-Encoding: chunked',
    'Content-Length: 3',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'Origin: null',
    'Idempotency-Key: x',
    'Accept: text/html',
  ),
  fc
    .tuple(fc.constantFrom('X', 'Authorization', 'Content-Type', 'Accept', 'Content-Length', 'Cookie'), text)
    .map(([name, value]) => `${name}: ${value}`),
  text,
)
const host = fc.oneof(
  text,
  fc.constantFrom('localhost', '[::1', 'a b', '127.0.0.1@evil.example', 'evil.example:4100', '0x7f.1'),
)

interface Parts {
  readonly method: string
  readonly path: string
  readonly id: number
  readonly query: string
  readonly hosts: readonly string[] | null
  readonly headers: readonly string[]
  readonly body: string
  /** Whether the request has Content-Type and Content-Length and an encoded target, as ordinary clients send. */
  readonly isPlain: boolean
  /** Content-Type of the body. */
  readonly type: string
}

const USUAL = {
  method: knownMethod,
  path: knownPath,
  id,
  query: fc.constant(''),
  hosts: fc.constant(null),
  headers: fc.constant([]),
  body: fc.constant('{}'),
  isPlain: fc.constant(true),
  type: fc.constant(JSON_TYPE),
}

function requests(
  changed: Partial<{ [K in keyof Parts]: fc.Arbitrary<Parts[K]> }>,
): fc.Arbitrary<HostileRequest> {
  const parts: fc.Arbitrary<Parts> = fc.record({ ...USUAL, ...changed })
  return parts.map((made) => (target: Target) => textOf(made, target))
}

/** Hostile requests by kind. Each is valid in every other respect, so that it reaches the code it attacks. */
export const HOSTILE_REQUESTS: Readonly<Record<string, fc.Arbitrary<HostileRequest>>> = {
  hosts: requests({ hosts: fc.array(host, { maxLength: 2 }) }),
  origins: requests({
    headers: fc.array(
      text.map((value) => `Origin: ${value}`),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  targets: requests({
    method,
    path: fc.oneof(
      knownPath,
      text.map((path) => `/${path}`),
    ),
    query,
    isPlain: fc.boolean(),
  }),
  headers: requests({
    headers: fc.array(header, { minLength: 1, maxLength: 3 }),
    isPlain: fc.boolean(),
    body,
  }),
  bodies: requests({ method: fc.constant('POST'), body }),
  forms: requests({
    method: fc.constant('POST'),
    path: fc.constantFrom(...PAGES),
    body: form,
    type: fc.constant(FORM_TYPE),
  }),
  mixtures: requests({
    method,
    query,
    headers: fc.array(header, { maxLength: 3 }),
    body,
    isPlain: fc.boolean(),
  }),
}

function textOf(
  { method, path, query, hosts, headers, body, isPlain, type, ...made }: Parts,
  target: Target,
): string {
  const { url, key, ids } = target
  const where = path.replace(':id', ids[made.id] ?? 'cus_none') + query
  const bytes = Buffer.from(body)
  const told = [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`]
  const head = [
    `${method} ${isPlain ? encodeURI(where.toWellFormed()) : where} HTTP/1.1`,
    ...(hosts ?? [new URL(url).host]).map((host) => `Host: ${host}`),
    `Authorization: Bearer ${key}`,
    'Connection: close',
    ...(isPlain ? told : []),
    ...headers,
  ]
  return `${Buffer.from(head.join('\r\n')).toString('latin1')}\r\n\r\n${bytes.toString('latin1')}`
}
