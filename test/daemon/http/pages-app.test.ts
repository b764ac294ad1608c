import { gzipSync } from 'node:zlib'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { cardFields, openForm, sendForm } from '../../support/page-forms.ts'
import {
  type HttpRequestOptions,
  type HttpResponse,
  sendRawText,
  sendRequest,
} from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const FORM = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 16 * 1024

const test = suite('daemon/http/pages-app')

let served: ServedSandbox
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

function visit(given: HttpRequestOptions = {}, where = path): Promise<HttpResponse> {
  return sendRequest(served.pagesUrl + where, given)
}

function submit(body: string | Buffer, headers: HttpRequestOptions['headers'] = {}): Promise<HttpResponse> {
  return visit({ method: 'POST', body, headers: { 'Content-Type': FORM, ...headers } })
}

/** Checks a page: status, title, no caching and a strict Content-Security-Policy. */
function checkPage({ status, headers, text }: HttpResponse, expected: number, title: string): void {
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

test('shows the hosted page of an open payment session', async () => {
  checkPage(await visit(), 200, 'Pay €10.00')
})

test('names the address of the API to programs that send it requests', async () => {
  for (const where of ['/v1/customers', '/v1', '/healthz']) {
    const { status, text } = await visit({ method: 'POST', body: '{}' }, where)
    assert.is(status, 404)
    const message = `This is the address of the hosted pages. The API of this server is at ${served.apiUrl}.`
    assert.is(JSON.parse(text).error.message, message)
  }
})

test('returns 404 for unknown paths', async () => {
  for (const where of ['/docs/errors', '/', '/checkout/cks_none', '/checkout/%ZZ', '/sessions/..%2f']) {
    checkPage(await visit({}, where), 404, 'Page not found')
  }
})

test('shows a 413 error page in the language of the query parameter lang', async () => {
  const body = 'x='.padEnd(FORM_LIMIT_BYTES + 1, 'x')
  const posted = { method: 'POST', body, headers: { 'Content-Type': FORM } }
  const { status, headers, text } = await visit(posted, `${path}?lang=de`)
  assert.equal([status, headers['content-language'], headers['vary']], [413, 'de', 'Accept-Language'])
  assert.match(text, '<html lang="de" dir="ltr">')
})

for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
  test(`returns 405 with an Allow header for ${method}`, async () => {
    const response = await visit({ method })
    checkPage(response, 405, 'Not possible here')
    assert.is(response.headers['allow'], 'GET, HEAD, POST')
  })
}

test('HEAD returns the headers of GET without the body', async () => {
  const [head, get] = await Promise.all([visit({ method: 'HEAD' }), visit()])
  assert.equal([head.status, head.text], [200, ''])
  assert.is(head.headers['content-security-policy'], get.headers['content-security-policy'])
})

test('shows the form again when a submission has no token, and changes nothing', async () => {
  const before = await served.sandbox.snapshot()
  for (const response of [
    await submit('number=4242424242424242'),
    await submit(''),
    await submit('a=1&a=2&form_token[x]=1&__proto__=1&constructor[prototype]=1'),
    await submit('{"form_token":"x"}', { 'Content-Type': 'application/json' }),
    await submit('%%%=%zz&&&='),
  ]) {
    checkPage(response, 422, 'Error: Please send the form again')
  }
  assert.equal(await served.sandbox.snapshot(), before)
})

test('returns 413 for a form of more than 16 KiB', async () => {
  const field = (bytes: number) => `name=${'x'.repeat(bytes - 5)}`
  assert.is((await submit(field(FORM_LIMIT_BYTES))).status, 422)
  checkPage(await submit(field(FORM_LIMIT_BYTES + 1)), 413, 'The form is too large')
  const bomb = gzipSync(field(100 * FORM_LIMIT_BYTES))
  checkPage(await submit(bomb, { 'Content-Encoding': 'gzip' }), 413, 'The form is too large')
})

test('returns 400 or 415 for a form with an invalid encoding', async () => {
  checkPage(await submit('name=x', { 'Content-Encoding': 'gzip' }), 400, 'The form could not be read')
  checkPage(await submit('name=x', { 'Content-Encoding': 'zstd' }), 415, 'The form could not be read')
  assert.not.match(served.lines.join(''), '"level":"error"')
})

test('shows an error page for invalid HTTP', async () => {
  checkPage(
    await sendRawText(served.pagesUrl, 'GET /\u0001 HTTP/1.1\r\n\r\n'),
    400,
    'The form could not be read',
  )
})

test('shows an error page for a request with a foreign Host header', async () => {
  const response = await visit({ headers: { Host: 'evil.test' } })
  checkPage(response, 403, 'Wrong address')
  assert.not.match(response.text, 'evil')
})

test('shows no details of an internal error and logs its stack', async () => {
  served.breakStore({
    get: async () => {
      throw new Error('no such table at /srv/data')
    },
  })
  const response = await visit()
  checkPage(response, 500, 'Something went wrong')
  assert.not.match(response.text, /table|srv/)
  const { level, status, stack } = JSON.parse(served.lines[0] ?? '{}')
  assert.equal([level, status], ['error', 500])
  assert.match(stack, /^Error: no such table at \/srv\/data\n {4}at /)
})

test('shows an error page when the disk is full, without an internal error', async () => {
  const session = await newPaymentSession(served.sandbox)
  const url = served.pagesUrl + new URL(session.url).pathname
  const token = await openForm(url)
  served.breakStore({
    transact: async () => {
      throw new DomainError('storage_full', 'The disk is full.', { retryAfterSeconds: 1 })
    },
  })
  const response = await sendForm(url, token, cardFields('4242424242424242'))
  assert.is(response.status, 503)
  assert.not.match(served.lines.join(''), '"level":"error"')
  served.breakStore({})
  assert.is((await sendForm(url, token, cardFields('4242424242424242'))).status, 303)
})

test('logs a failed due job and shows the page', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  served.breakStore({
    transact: async () => {
      throw new Error('not now')
    },
  })
  checkPage(await visit({}, '/3ds/none'), 404, 'Page not found')
  assert.match(served.lines.join(''), '"stack":"Error: not now')
})

test('runs due jobs before it shows a page', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  checkPage(await visit({}, new URL(session.url).pathname), 410, 'This link has expired')
})

test('calls onChange only for a submitted form', async () => {
  const before = served.changes()
  await visit()
  assert.is(served.changes(), before)
  await submit('number=1')
  assert.is(served.changes(), before + 1)
})

test.run()
