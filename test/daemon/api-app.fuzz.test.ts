import fc from 'fast-check'
import { api, operations } from '../../src/api/index.ts'
import { runs } from '../support/property.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { ask, shout } from '../support/wire.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const USUAL_RUNS = 20
const REQUESTS_AT_ONCE = 10
/** What no answer may tell: code, files of this machine, the key. */
const INSIDE = /\bat \S+ \(|\.[jt]s:\d|node_modules|\/work\/|\/home\//

const test = suite('daemon/api-app fuzz', undefined, 600_000)

let served: Served
let ids: string[]

test.before(async () => {
  served = await serveSandbox({ requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 })
  const checkout = await newCheckout(served.sandbox)
  const payment = await newPaymentSession(served.sandbox)
  const done = await served.sandbox.call(api.checkoutSessions.complete, {
    id: checkout.id,
    test_card: 'visa',
  })
  ids = [checkout.id, payment.id, done.customer, 'cus_none']
})

test.after(() => served?.close())

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '%',
    '%00',
    '..',
    '\u0000',
    '\r\n',
    '[',
    '{',
    '"',
    '💩',
    '4242424242424242',
    '-1',
    'null',
  ),
)
const method = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('GET', 'POST', 'DELETE') },
  fc.constantFrom('HEAD', 'PUT', 'OPTIONS', 'get', 'TRACE', 'M-SEARCH', ''),
)
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...operations.map(({ operation }) => operation.path)), fc.nat({ max: 3 }))
    .map(([pattern, pick]) => ({ pattern, pick })),
  text.map((pattern) => ({ pattern: `/${pattern}`, pick: 0 })),
)
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
const jsonBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(
      fc.constantFrom(
        'email',
        'amount',
        'currency',
        'customer',
        'subscription_data',
        'card',
        'test_card',
        'metadata',
        'url',
      ),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 5 },
    )
    .map((fields) => JSON.stringify(fields)),
)
const body = fc.oneof({ weight: 3, arbitrary: jsonBody }, text)
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

interface Request {
  readonly method: string
  readonly path: { readonly pattern: string; readonly pick: number }
  readonly query: string
  readonly headers: readonly string[]
  readonly body: string
  readonly isPlain: boolean
  readonly isPage: boolean
}

const request: fc.Arbitrary<Request> = fc.record({
  method,
  path,
  query,
  headers: fc.array(header, { maxLength: 3 }),
  body,
  isPlain: fc.boolean(),
  isPage: fc.boolean(),
})

/** The text of a request; a plain one is right in all but what it asks. */
function textOf({ method, path, query, headers, body, isPlain }: Request, url: string): string {
  const target = path.pattern.replace(':id', ids[path.pick] ?? '') + query
  const bytes = Buffer.from(body)
  const own = isPlain ? ['Content-Type: application/json', `Content-Length: ${bytes.length}`] : headers
  const always = [`Host: ${new URL(url).host}`, `Authorization: Bearer ${KEY}`, 'Connection: close']
  const head = [
    `${method} ${isPlain ? encodeURI(target.toWellFormed()) : target} HTTP/1.1`,
    ...always,
    ...own,
  ]
  return `${Buffer.from(head.join('\r\n')).toString('latin1')}\r\n\r\n${bytes.toString('latin1')}`
}

test('whatever is sent, no answer is a bug or tells of the inside, and the service goes on', async () => {
  const requests = fc.array(request, { minLength: 1, maxLength: REQUESTS_AT_ONCE })
  await fc.assert(
    fc.asyncProperty(requests, async (made) => void (await Promise.all(made.map(check)))),
    runs(USUAL_RUNS),
  )
  assert.is((await ask(`${served.apiUrl}/healthz`)).status, 200)
  assert.not.match(served.lines.join(''), '"level":"error"')
})

async function check(made: Request): Promise<void> {
  const url = made.isPage ? served.pagesUrl : served.apiUrl
  const answer = await shout(url, textOf(made, url))
  assert.ok(answer.status < 500, `${answer.status} ${answer.text}\n${served.lines.at(-1)}`)
  assert.not.match(answer.text, INSIDE)
  assert.not.match(answer.text, KEY)
}

test.run()
