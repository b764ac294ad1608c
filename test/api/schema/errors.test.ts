import { api } from '../../../src/api/api.ts'
import { createInternalError, ERROR_DEFINITIONS, toApiErrorResponse } from '../../../src/api/schema/errors.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { readSources } from '../../support/repository/source-files.ts'
import { ROOT } from '../../support/root.ts'
import { CARDS, newCheckout, newPaymentSession } from '../../support/samples.ts'
import { type CaughtError, catchDomainError, createSandbox, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/errors')

const WHERE = { requestId: 'req_Test00000000000000000001', apiUrl: 'http://127.0.0.1:4100' }
/** Folders whose code creates API errors. The catalog does not contain the errors of the command line. */
const FOLDERS = /^src\/(domain|engine|api|store|pages|webhooks)\//
const CATALOGUE = 'src/api/schema/errors.ts'

const sources = readSources(ROOT).filter(({ path }) => FOLDERS.test(path) || path.startsWith('src/daemon/'))

/** Returns the error codes in source text. */
function codesIn(text: string): string[] {
  const patterns = [
    /new DomainError\(\s*'([a-z_]+)'/g,
    /\bcode: '([a-z_]+)'/g,
    /\bcode = '([a-z_]+)'/g,
    /errorCodes: \{([^}]*)\}/g,
    /errorCodes = \{([^}]*)\}/g,
  ]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(
      ([, found = '']) => found.match(/(?<=')[a-z_]+(?=')|^[a-z_]+$/g) ?? [],
    ),
  )
}

test('every error code in the sources is in the catalog', () => {
  const unknown = sources
    .filter(({ path }) => path !== CATALOGUE)
    .flatMap(({ path, text }) => codesIn(text).map((code) => ({ path, code })))
    .filter(({ code }) => !(code in ERROR_DEFINITIONS))
    .map(({ path, code }) => `${path}: ${code}`)
  assert.equal(unknown, [])
})

test('masks an API key that was sent as a parameter name', async () => {
  const key = 'paysk_test_0123456789012345678901234567'
  const body = { [key]: 1, email: 'ada@example.com' }
  const refused = await catchDomainError(
    createSandbox().send(api.customers.create, { body: { ...body, b: 1 } }),
  )
  const { error } = toApiErrorResponse(
    new DomainError(refused.code, refused.message, refused.details),
    WHERE,
  ).body
  assert.not.match(JSON.stringify(error), '0123456789')
  assert.equal([error.param, error.errors[0]?.param], ['paysk_test_…', 'paysk_test_…'])
  assert.is(toApiErrorResponse(createInternalError(), WHERE).body.error.param, null)
})

test('codesIn finds error codes in every syntax', () => {
  const text = `throw new DomainError(\n  'first_one', x) ; [{ code: 'second_one', param }] ; const code = 'third_one'
    ; integer({ min: 0, errorCodes: { minimum: 'fourth_one', maximum: 'fifth_one' } })`
  assert.equal(codesIn(text), ['first_one', 'second_one', 'third_one', 'fourth_one', 'fifth_one'])
  assert.ok(sources.flatMap(({ text }) => codesIn(text)).length > 40)
})

test('every error code in the catalog is in the sources', () => {
  const text = sources
    .filter(({ path }) => path !== CATALOGUE)
    .map((source) => source.text)
    .concat(
      'checkout_session_unexpected_state payment_session_unexpected_state card_session_unexpected_state',
      'portal_session_unexpected_state dispute_unexpected_state internal_error',
    )
    .join('\n')
  const unused = Object.keys(ERROR_DEFINITIONS).filter((code) => !new RegExp(`\\b${code}\\b`).test(text))
  assert.equal(unused, [])
})

const TYPES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request_error', 'idempotency_error'],
  401: ['authentication_error'],
  402: ['card_error'],
  403: ['permission_error'],
  404: ['invalid_request_error'],
  405: ['invalid_request_error'],
  409: ['invalid_request_error', 'idempotency_error'],
  413: ['invalid_request_error'],
  414: ['invalid_request_error'],
  415: ['invalid_request_error'],
  422: ['idempotency_error'],
  429: ['rate_limit_error'],
  500: ['api_error'],
  502: ['api_error'],
  503: ['api_error'],
  507: ['api_error'],
}

test('every error in the catalog has a status, a type that the status allows, and a one-sentence description', () => {
  for (const [code, [status, type, when]] of Object.entries(ERROR_DEFINITIONS)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(TYPES[status]?.includes(type), `${code}: ${status} ${type}`)
    assert.match(when, /^\S.*\.$/)
  }
})

function responseTo({ code, message, details }: Pick<CaughtError, 'code' | 'message' | 'details'>) {
  return toApiErrorResponse(new DomainError(code, message, details), WHERE)
}

test('an error response has every field in order and a link to its documentation', () => {
  const { status, headers, body } = responseTo({
    code: 'email_invalid',
    message: 'No.',
    details: { param: 'email' },
  })
  assert.equal([status, headers], [400, {}])
  assert.equal(Object.keys(body.error), [
    ...['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'errors', 'suggestion'],
  ])
  assert.equal(body.error, {
    type: 'invalid_request_error',
    code: 'email_invalid',
    message: 'No.',
    param: 'email',
    doc_url: 'http://127.0.0.1:4100/docs/errors#email_invalid',
    request_id: WHERE.requestId,
    errors: [{ code: 'email_invalid', message: 'No.', param: 'email' }],
    suggestion: null,
  })
})

test('a missing object returns 404 for an id in the path, and 400 for an id in the body or the query', async () => {
  const sandbox = createSandbox()
  const inPath = await catchDomainError(sandbox.call(api.customers.retrieve, { id: 'cus_nobody' }))
  const inBody = await catchDomainError(newPaymentSession(sandbox, { customer: 'cus_nobody' }))
  const inQuery = await catchDomainError(sandbox.call(api.customers.list, { starting_after: 'cus_nobody' }))
  assert.equal(
    [inPath, inBody, inQuery].map((refused) => responseTo(refused).status),
    [404, 400, 400],
  )
})

test('every 404 error message for an object names an existing list operation', async () => {
  const sandbox = createSandbox()
  const paths = Object.values(api).flatMap((verbs) =>
    Object.values(verbs).map(({ method, path }) => `${method} ${path}`),
  )
  for (const verbs of Object.values(api)) {
    // A report is computed, so it has no id.
    if (!('retrieve' in verbs) || !verbs.retrieve.path.endsWith('/:id')) continue
    const { message } = await catchDomainError(sandbox.call(verbs.retrieve, { id: 'x_1' }))
    const [, list = ''] = /List existing objects with (GET \S+)\.$/.exec(message) ?? []
    assert.ok(paths.includes(list), message)
  }
})

test('an operation on an object in the wrong state returns 400, not 409', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  await sandbox.call(api.checkoutSessions.expire, { id })
  const refused = await catchDomainError(sandbox.call(api.checkoutSessions.expire, { id }))
  assert.is(responseTo(refused).status, 400)
  assert.is(
    refused.message,
    `Cannot expire checkout_session '${id}': it is expired, and only open sessions can be changed. Create a new session instead.`,
  )
})

test('a decline returns 402 with its decline code and the failed payment', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const { status, body } = responseTo(await catchDomainError(sandbox.submit(id, typed(CARDS.broke))))
  const { data } = await sandbox.call(api.payments.list, { payment_session: id })
  assert.is(status, 402)
  assert.equal(
    [body.error.type, body.error.code, body.error.decline_code, body.error.payment],
    ['card_error', 'card_declined', 'insufficient_funds', data[0]],
  )
  assert.equal(Object.keys(body.error), [
    ...['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'decline_code', 'payment', 'errors'],
    'suggestion',
  ])
})

test('a decline without a payment attempt has payment null', () => {
  const { body } = responseTo({ code: 'card_declined', message: 'No.', details: {} })
  assert.equal([body.error.decline_code, body.error.payment], [null, null])
})

test('a 401 response has WWW-Authenticate, and a rate limit response has Retry-After', () => {
  const missing = responseTo({ code: 'api_key_missing', message: 'No.', details: {} })
  assert.equal(missing.headers, { 'WWW-Authenticate': 'Bearer realm="paycli"' })
  const details = { retryAfterSeconds: 90 }
  const limited = responseTo({ code: 'card_decline_rate_limit_exceeded', message: 'No.', details })
  assert.equal([limited.status, limited.headers], [429, { 'Retry-After': '90' }])
})

test('the response of an internal error has no details', () => {
  const { status, body } = toApiErrorResponse(createInternalError(), WHERE)
  assert.is(status, 500)
  assert.match(body.error.message, /nothing was changed.*this request id/)
})

test('masks API keys in every error message', () => {
  const message = "No such customer: 'paysk_test_4fK9aB'."
  const errors = [{ code: 'parameter_unknown', message: 'Unknown: sk_live_4fK9aB.', param: null }]
  for (const details of [{}, { errors }])
    assert.not.match(JSON.stringify(responseTo({ code: 'resource_missing', message, details })), '4fK9aB')
})

test('throws for an error code that is not in the catalog', () => {
  for (const code of ['no_such_code', 'toString', '__proto__', 'constructor']) {
    assert.throws(() => responseTo({ code, message: 'No.', details: {} }), /in the catalog|iterable/)
  }
})

test.run()
