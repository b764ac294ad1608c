import { gzipSync } from 'node:zlib'
import { DomainError } from '../../src/domain/domain-error.ts'
import { cardFields, openForm, sendForm } from '../support/buyer.ts'
import { newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, type Ask, ask, shout } from '../support/wire.ts'
import { type Served, serveSandbox } from './served.ts'

const FORM = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 16 * 1024

const test = suite('daemon/pages-app')

let served: Served
let path: string

test.before(async () => {
  served = await serveSandbox()
  const session = await newPaymentSession(served.sandbox)
  path = new URL(session.url).pathname
})

test.before.each(() => {
  served.breakStore({})
  served.lines.length = 0
})

test.after(() => served?.close())

function visit(given: Ask = {}, where = path): Promise<Answer> {
  return ask(served.pagesUrl + where, given)
}

function submit(body: string | Buffer, headers: Ask['headers'] = {}): Promise<Answer> {
  return visit({ method: 'POST', body, headers: { 'Content-Type': FORM, ...headers } })
}

/** A page of our own, kept by nobody, that runs and frames nothing. */
function checkPage({ status, headers, text }: Answer, expected: number, title: string): void {
  assert.is(status, expected, text)
  assert.is(headers['content-type'], 'text/html; charset=utf-8')
  assert.is(headers['cache-control'], 'no-store')
  assert.is(headers['x-content-type-options'], 'nosniff')
  assert.is(headers['referrer-policy'], 'same-origin')
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; .*frame-ancestors 'none'/)
  assert.is(headers['x-powered-by'], undefined)
  assert.is(headers['set-cookie'], undefined)
  assert.match(text, `<title>${title}</title>`)
}

test('an open session is a page', async () => {
  checkPage(await visit(), 200, 'Pay €10.00')
})

test('nothing of the API is at the address of the pages', async () => {
  for (const where of [
    '/v1/customers',
    '/healthz',
    '/docs/errors',
    '/',
    '/checkout/cks_none',
    '/checkout/%ZZ',
    '/sessions/..%2f',
  ]) {
    checkPage(await visit({}, where), 404, 'Page not found')
  }
})

for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
  test(`${method} is 405 and Allow names what is possible`, async () => {
    const answer = await visit({ method })
    checkPage(answer, 405, 'Not possible here')
    assert.is(answer.headers['allow'], 'GET, HEAD, POST')
  })
}

test('HEAD answers like GET, without the body', async () => {
  const [head, get] = await Promise.all([visit({ method: 'HEAD' }), visit()])
  assert.equal([head.status, head.text], [200, ''])
  assert.is(head.headers['content-security-policy'], get.headers['content-security-policy'])
})

test('a form without its token is shown again and changes nothing', async () => {
  const before = await served.sandbox.snapshot()
  for (const answer of [
    await submit('number=4242424242424242'),
    await submit(''),
    await submit('a=1&a=2&form_token[x]=1&__proto__=1&constructor[prototype]=1'),
    await submit('{"form_token":"x"}', { 'Content-Type': 'application/json' }),
    await submit('%%%=%zz&&&='),
  ]) {
    checkPage(answer, 422, 'Error: Please send the form again')
  }
  assert.equal(await served.sandbox.snapshot(), before)
})

test('a form of more than 16 KiB is 413', async () => {
  const field = (bytes: number) => `name=${'x'.repeat(bytes - 5)}`
  assert.is((await submit(field(FORM_LIMIT_BYTES))).status, 422)
  checkPage(await submit(field(FORM_LIMIT_BYTES + 1)), 413, 'Too much was sent')
  const bomb = gzipSync(field(100 * FORM_LIMIT_BYTES))
  checkPage(await submit(bomb, { 'Content-Encoding': 'gzip' }), 413, 'Too much was sent')
})

test('a form that cannot be unpacked is the fault of who sent it', async () => {
  checkPage(await submit('name=x', { 'Content-Encoding': 'gzip' }), 400, 'This could not be read')
  checkPage(await submit('name=x', { 'Content-Encoding': 'zstd' }), 415, 'This could not be read')
  assert.not.match(served.lines.join(''), '"level":"error"')
})

test('what is no HTTP is told on a page', async () => {
  checkPage(await shout(served.pagesUrl, 'GET /\u0001 HTTP/1.1\r\n\r\n'), 400, 'This could not be read')
})

test('another host is told on a page', async () => {
  const answer = await visit({ headers: { Host: 'evil.test' } })
  checkPage(answer, 403, 'Wrong address')
  assert.not.match(answer.text, 'evil')
})

test('a bug is a page that tells nothing, and a stack in the log', async () => {
  served.breakStore({
    get: async () => {
      throw new Error('no such table at /srv/data')
    },
  })
  const answer = await visit()
  checkPage(answer, 500, 'Something went wrong')
  assert.not.match(answer.text, /table|srv/)
  const [bug = '{}', request = '{}'] = served.lines
  assert.match(JSON.parse(bug).stack, /^Error: no such table at \/srv\/data\n {4}at /)
  assert.is(JSON.parse(request).status, 500)
})

test('a full disk is told on a page and is no bug', async () => {
  const session = await newPaymentSession(served.sandbox)
  const url = served.pagesUrl + new URL(session.url).pathname
  const token = await openForm(url)
  served.breakStore({
    transact: async () => {
      throw new DomainError('storage_full', 'The disk is full.', { retryAfterSeconds: 1 })
    },
  })
  const answer = await sendForm(url, token, cardFields('4242424242424242'))
  assert.is(answer.status, 503)
  assert.not.match(served.lines.join(''), '"level":"error"')
  served.breakStore({})
  assert.is((await sendForm(url, token, cardFields('4242424242424242'))).status, 303)
})

test('what time made due and cannot be done is logged, and the page shown', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  served.breakStore({
    transact: async () => {
      throw new Error('not now')
    },
  })
  checkPage(await visit({}, '/assets/none'), 404, 'Page not found')
  assert.match(served.lines.join(''), '"stack":"Error: not now')
})

test('what time made due is done before a page is shown', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  checkPage(await visit({}, new URL(session.url).pathname), 410, 'This link has expired')
})

test('only a sent form is told to the webhooks', async () => {
  const before = served.changes()
  await visit()
  assert.is(served.changes(), before)
  await submit('number=1')
  assert.is(served.changes(), before + 1)
})

test.run()
