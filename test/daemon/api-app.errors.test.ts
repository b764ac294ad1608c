import { api } from '../../src/api/index.ts'
import { streams } from '../../src/api/operations/streams.ts'
import { ERRORS } from '../../src/api/schema/errors.ts'
import { createRateLimit } from '../../src/daemon/rate-limit.ts'
import { STREAM_LIMITS } from '../../src/daemon/stream-limits.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { breakDisk } from '../store/file/failing-disk.ts'
import { makeFolder } from '../store/file/lowdb-folder.ts'
import { openDaemon } from '../support/daemon.ts'
import { newCustomer } from '../support/samples.ts'
import type { SandboxOptions } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { ask, errorOf } from '../support/wire.ts'
import { type Provoke, provoked } from './provoked.ts'
import { BY_REQUESTS } from './provoked-by-requests.ts'
import { BY_STATES } from './provoked-by-states.ts'
import { KEY, type Rules } from './served.ts'

const test = suite('daemon/api-app errors')

const create: Provoke = ({ post }) => post('/v1/customers', { email: 'ada@example.com' })

/** Errors that need a service of a kind. */
const BY_SERVICES: Readonly<Record<string, readonly [Provoke, SandboxOptions?, Rules?]>> = {
  webhook_target_blocked: [
    ({ post }) => post('/v1/webhook_endpoints', { url: 'http://169.254.169.254/' }),
    { requireTarget: createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] }).require },
  ],
  rate_limit: [
    async (target) => {
      await target.get('/v1/customers')
      await target.get('/v1/customers')
      return target.get('/v1/customers')
    },
    {},
    { limit: createRateLimit({ perSecond: 1, monotonicMs: () => 0 }) },
  ],
  idempotency_limit_reached: [
    ({ post }) => post('/v1/customers', { email: 'ada@example.com' }, { 'Idempotency-Key': 'k' }),
    { maxAnswers: 0 },
  ],
  internal_error: [
    async (target) => {
      target.served.breakStore({
        async transact() {
          throw new TypeError('a bug')
        },
      })
      return create(target)
    },
  ],
}

/** Provokes an error by what a real disk does to a real database. */
function onDisk(outcome: 'ENOSPC' | 'EIO', provoke: Provoke): () => ReturnType<typeof provoked> {
  return async () => {
    const folder = await makeFolder()
    const disk = await breakDisk()
    try {
      const store = await folder.open()
      return await provoked(
        async (target) => {
          disk.plan = [outcome]
          return provoke(target)
        },
        { store },
      )
    } finally {
      disk.repair()
      await folder.dispose()
    }
  }
}

/** Provokes an error by opening one stream more than a key may have. */
async function onStreams(): ReturnType<typeof provoked> {
  const daemon = await openDaemon()
  const { api_url, api_key } = daemon.location
  const path = `${api_url}${streams.events.path}`
  const headers = { Authorization: `Bearer ${api_key}` }
  const opened = await Promise.all(
    Array.from({ length: STREAM_LIMITS.perKey }, () => fetch(path, { headers })),
  )
  try {
    const answer = await ask(path, { headers })
    return { answer, reference: await ask(JSON.parse(answer.text).error.doc_url) }
  } finally {
    for (const { body } of opened) await body?.cancel()
    await daemon.stop()
  }
}

const PROVOKED: ReadonlyMap<string, () => ReturnType<typeof provoked>> = new Map([
  ...Object.entries({ ...BY_REQUESTS, ...BY_STATES }).map(
    ([code, provoke]) => [code, () => provoked(provoke)] as const,
  ),
  ...Object.entries(BY_SERVICES).map(([code, given]) => [code, () => provoked(...given)] as const),
  ['stream_limit', onStreams] as const,
  ['storage_full', onDisk('ENOSPC', create)] as const,
  ['unavailable', onDisk('EIO', create)] as const,
])

test('every error of the catalogue is provoked below', () => {
  assert.equal([...PROVOKED.keys()].sort(), Object.keys(ERRORS).sort())
})

for (const [code, provoke] of PROVOKED) {
  const [usual = 0, type = ''] = ERRORS[code] ?? []
  // Its id was in the path.
  const status = code === 'resource_missing' ? 404 : usual
  test(`${status} ${code} can be provoked, with all it says, and leads to where it is explained`, async () => {
    const { answer, reference } = await provoke()
    const error = errorOf(answer)
    assert.equal([error['code'], answer.status, error['type']], [code, status, type], answer.text)
    assert.match(String(error['message']), /^\S.*[.?]$/s)
    const [first] = error['errors'] as { code: string; message: string }[]
    assert.equal([first?.code, first?.message], [code, error['message']])
    assert.is(reference.status, 200)
    assert.match(reference.text, `id="${code}"`)
    const isTemporary = [409, 429, 503].includes(status) && code !== 'unavailable'
    assert.is(answer.headers['retry-after'] !== undefined, isTemporary)
  })
}

test('a missing object is 400 when its id is in the body', async () => {
  const { answer } = await provoked(({ post }) => post('/v1/refunds', { payment: 'py_none' }))
  const { code, param } = errorOf(answer)
  assert.equal([answer.status, code, param], [400, 'resource_missing', 'payment'])
})

test('all that is wrong with a body is told at once, and a misspelt name leads with the nearest one', async () => {
  const { answer } = await provoked(async ({ post, sandbox }) => {
    const { id: customer } = await newCustomer(sandbox)
    return post('/v1/payment_sessions', {
      ...{ amount: -1, curency: 'eur', customer, payment_method_types: ['cheque'], return_url: 'here' },
      metadata: { 'a[b]': 'c' },
    })
  })
  const { code, param, suggestion, errors } = errorOf(answer)
  assert.equal([code, param, suggestion], ['parameter_unknown', 'curency', 'currency'])
  assert.equal(
    (errors as { code: string; param: string }[]).map((each) => `${each.code} ${each.param}`).sort(),
    [
      'amount_too_small amount',
      'metadata_invalid metadata',
      'parameter_missing currency',
      'parameter_unknown curency',
      'payment_method_type_unsupported payment_method_types[0]',
      'url_invalid return_url',
    ],
  )
})

test('of a request that is wrong in every way the faults are told one after the other, in one order', async () => {
  const hurry = { isOn: true }
  const limit = { take: () => ({ retryAfterSeconds: hurry.isOn ? 1 : null, headers: {} }), whole: {} }
  const told: unknown[] = []
  await provoked(
    async ({ served, sandbox, post }) => {
      const { secret } = await sandbox.call(api.apiKeys.create, { scopes: ['refunds:write'] })
      hurry.isOn = false
      await post('/v1/customers', { email: 'ada@example.com' }, { 'Idempotency-Key': 'used' })
      hurry.isOn = true
      const worst = {
        path: '/v1/nothing',
        body: '['.repeat(300_000),
        headers: { Host: 'evil.test', 'Content-Type': 'text/plain', 'Idempotency-Key': '' },
      }
      const { host } = new URL(served.apiUrl)
      const fixes: readonly (readonly [code: string, fix: () => void])[] = [
        ['host_not_allowed', () => Object.assign(worst.headers, { Host: host })],
        ['route_not_found', () => Object.assign(worst, { path: '/v1/events' })],
        ['method_not_allowed', () => Object.assign(worst, { path: '/v1/customers' })],
        ['api_key_missing', () => Object.assign(worst.headers, { Authorization: `Bearer ${secret}` })],
        ['insufficient_scope', () => Object.assign(worst.headers, { Authorization: `Bearer ${KEY}` })],
        ['rate_limit', () => Object.assign(hurry, { isOn: false })],
        ['request_too_large', () => Object.assign(worst, { body: '[' })],
        [
          'unsupported_media_type',
          () => Object.assign(worst.headers, { 'Content-Type': 'application/json' }),
        ],
        ['invalid_json', () => Object.assign(worst, { body: '{"email":7,"test_clock":"clock_none"}' })],
        ['idempotency_key_invalid', () => Object.assign(worst.headers, { 'Idempotency-Key': 'used' })],
        ['idempotency_key_reused', () => Object.assign(worst.headers, { 'Idempotency-Key': 'new' })],
        [
          'parameter_invalid_type',
          () => Object.assign(worst, { body: '{"email":"a@b.co","test_clock":"x"}' }),
        ],
        ['resource_missing', () => {}],
      ]
      for (const [, fix] of fixes) {
        const { path, ...rest } = worst
        told.push(errorOf(await ask(served.apiUrl + path, { method: 'POST', ...rest }))['code'])
        fix()
      }
      assert.equal(
        told,
        fixes.map(([code]) => code),
      )
      return post('/v1/nothing', {})
    },
    {},
    { limit },
  )
})

test.run()
