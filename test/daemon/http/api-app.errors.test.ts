import { join } from 'node:path'
import { api } from '../../../src/api/api.ts'
import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { ERROR_DEFINITIONS } from '../../../src/api/schema/errors.ts'
import { createRateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import { createServerLimits } from '../../../src/daemon/sandboxes/server-limits.ts'
import { STREAM_LIMITS } from '../../../src/daemon/streams/stream-limits.ts'
import { createServerFullError } from '../../../src/domain/sandboxes/sandbox-quotas.ts'
import { createTargetGuard } from '../../../src/webhooks/ssrf-guard.ts'
import { breakDisk } from '../../store/file/failing-disk.ts'
import { createDatabaseFolder } from '../../store/file/lowdb-folder.ts'
import { subscribe } from '../../support/billing.ts'
import { createClock } from '../../support/clocks.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { newCustomer } from '../../support/samples.ts'
import type { SandboxOptions } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { STATE_ERRORS } from '../state-errors.ts'
import { type Provoke, provokeError } from './provoke-error.ts'
import { REQUEST_ERRORS } from './request-errors.ts'
import { KEY, type ServeSandboxOptions } from './serve-sandbox.ts'

const test = suite('daemon/api-app errors')

const create: Provoke = ({ post }) => post('/v1/customers', { email: 'ada@example.com' })

/** Errors that need a specially configured server. */
const BY_SERVICES: Readonly<Record<string, readonly [Provoke, SandboxOptions?, ServeSandboxOptions?]>> = {
  webhook_target_blocked: [
    ({ post }) => post('/v1/webhook_endpoints', { url: 'http://169.254.169.254/' }),
    {
      requireAllowedUrl: createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] }).requireAllowed,
    },
  ],
  sandbox_storage_unavailable: [
    ({ post }) => post('/v1/sandboxes', { storage: 'durable' }),
    { storages: ['memory'] },
  ],
  sandbox_quota_exceeded: [
    ({ post }) => post('/v1/webhook_endpoints', { url: 'https://example.com/hook' }),
    { room: { quotas: createServerLimits({ quotas: { endpoints: 0 } }).quotas } },
  ],
  server_full: [
    create,
    {
      room: {
        requireRoom() {
          throw createServerFullError('it uses 435 of 512 MB of heap')
        },
      },
    },
  ],
  rate_limit: [
    async (target) => {
      await target.get('/v1/customers')
      await target.get('/v1/customers')
      return target.get('/v1/customers')
    },
    {},
    { limit: createRateLimiter(1, () => 0) },
  ],
  concurrency_limit: [
    async ({ served, sandbox, get }) => {
      const { id } = await createClock(sandbox)
      const held = Promise.withResolvers<void>()
      served.breakStore({ transact: (work) => held.promise.then(() => sandbox.store.transact(work)) })
      const requests = Array.from({ length: 18 }, () => get(`/v1/projections?test_clock=${id}`))
      // One request runs and 16 wait, so only the rejected request has a response.
      const rejected = await Promise.race(requests)
      held.resolve()
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 200).length, 17)
      return rejected
    },
  ],
  projection_too_large: [
    async ({ served, sandbox, get }) => {
      const { id } = await subscribe(sandbox)
      const [card] = (await sandbox.call(api.customers.list, {})).data
      const crowd = { data: Array.from({ length: 20_001 }, () => card as never), has_more: false }
      served.breakStore({
        transact: (work) => sandbox.store.transact((reader) => work({ ...reader, list: async () => crowd })),
      })
      return get(`/v1/projections?subscription=${id}`)
    },
  ],
  idempotency_limit_reached: [
    ({ post }) => post('/v1/customers', { email: 'ada@example.com' }, { 'Idempotency-Key': 'k' }),
    { maxStoredResponses: 0 },
  ],
  bad_gateway: [({ get }) => get('/v1/customers', { 'Paycli-Fault': 'error; http_status=502' })],
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

/** Returns a function that provokes an error with a failing disk under a file database. */
function onDisk(outcome: 'ENOSPC' | 'EIO', provoke: Provoke): () => ReturnType<typeof provokeError> {
  return async () => {
    const folder = await createDatabaseFolder()
    const disk = await breakDisk()
    try {
      const store = await folder.open()
      return await provokeError(
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
async function onStreams(): ReturnType<typeof provokeError> {
  const daemon = await openDaemon()
  const { api_url, api_key } = daemon.location
  const path = `${api_url}${streamRoutes.events.path}`
  const headers = { Authorization: `Bearer ${api_key}` }
  const opened = await Promise.all(
    Array.from({ length: STREAM_LIMITS.perKey }, () => fetch(path, { headers })),
  )
  try {
    const response = await sendRequest(path, { headers })
    return { response, reference: await sendRequest(JSON.parse(response.text).error.doc_url) }
  } finally {
    for (const { body } of opened) await body?.cancel()
    await daemon.stop()
  }
}

/** Returns a function that provokes an error with the key of a sandbox that expires after a minute. */
function inSandbox(
  provoke: (daemon: TestDaemon, key: string) => ReturnType<typeof sendRequest>,
  options: Parameters<typeof openDaemon>[0] = {},
) {
  return async (): ReturnType<typeof provokeError> => {
    const daemon = await openDaemon(options)
    try {
      const expires_at = daemon.clock.now() + 60
      const { api_key } = await daemon.call(api.sandboxes.create, { expires_at })
      const response = await provoke(daemon, api_key)
      return { response, reference: await sendRequest(JSON.parse(response.text).error.doc_url) }
    } finally {
      await daemon.stop()
    }
  }
}

function getWith({ location }: TestDaemon, path: string, key: string): ReturnType<typeof sendRequest> {
  return sendRequest(location.api_url + path, { headers: { Authorization: `Bearer ${key}` } })
}

const onExpiredKey = inSandbox((daemon, key) => {
  daemon.clock.move(60)
  return getWith(daemon, '/v1/customers', key)
})

const onBusySandboxes = inSandbox((daemon, key) => getWith(daemon, '/v1/customers', key), {
  ...{ db: join(newFolder(), 'db.json'), limits: { maxOpen: 0 } },
})

const PROVOKED: ReadonlyMap<string, () => ReturnType<typeof provokeError>> = new Map([
  ...Object.entries({ ...REQUEST_ERRORS, ...STATE_ERRORS }).map(
    ([code, provoke]) => [code, () => provokeError(provoke)] as const,
  ),
  ...Object.entries(BY_SERVICES).map(([code, given]) => [code, () => provokeError(...given)] as const),
  ['stream_limit', onStreams] as const,
  ['sandbox_expired', onExpiredKey] as const,
  [
    'sandbox_key_not_allowed',
    inSandbox((daemon, key) => getWith(daemon, '/v1/sandboxes/default', key)),
  ] as const,
  ['sandboxes_busy', onBusySandboxes] as const,
  ['storage_full', onDisk('ENOSPC', create)] as const,
  ['unavailable', onDisk('EIO', create)] as const,
])

test('the tests cover every error code of the catalog', () => {
  assert.equal([...PROVOKED.keys()].sort(), Object.keys(ERROR_DEFINITIONS).sort())
})

for (const [code, provoke] of PROVOKED) {
  const [usual = 0, type = ''] = ERROR_DEFINITIONS[code] ?? []
  // The id is in the path, not in the body.
  const status = code === 'resource_missing' ? 404 : usual
  test(`returns a complete error body with a documentation link for ${status} ${code}`, async () => {
    const { response, reference } = await provoke()
    const error = errorIn(response)
    assert.equal([error['code'], response.status, error['type']], [code, status, type], response.text)
    assert.match(String(error['message']), /^\S.*[.?]$/s)
    const [first] = error['errors'] as { code: string; message: string }[]
    assert.equal([first?.code, first?.message], [code, error['message']])
    assert.is(reference.status, 200)
    assert.match(reference.text, `id="${code}"`)
    const isTemporary =
      [409, 429, 503, 507].includes(status) && !['unavailable', 'sandbox_quota_exceeded'].includes(code)
    assert.is(response.headers['retry-after'] !== undefined, isTemporary)
  })
}

test('returns 400 when the body contains the id of a missing object', async () => {
  const { response } = await provokeError(({ post }) => post('/v1/refunds', { payment: 'py_none' }))
  const { code, param } = errorIn(response)
  assert.equal([response.status, code, param], [400, 'resource_missing', 'payment'])
})

test('returns all validation errors in one response, with a suggestion for a misspelled parameter', async () => {
  const { response } = await provokeError(async ({ post, sandbox }) => {
    const { id: customer } = await newCustomer(sandbox)
    return post('/v1/payment_sessions', {
      ...{ amount: -1, curency: 'eur', customer, payment_method_types: ['cheque'], return_url: 'here' },
      metadata: { 'a[b]': 'c' },
    })
  })
  const { code, param, suggestion, errors } = errorIn(response)
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

test('reports the errors of a request in a fixed order of precedence', async () => {
  const rateLimit = { isOn: true }
  const limit = {
    take: () => ({ retryAfterSeconds: rateLimit.isOn ? 1 : null, left: 0, allowance: '' }),
    unusedHeaders: {},
  }
  const codes: unknown[] = []
  await provokeError(
    async ({ served, sandbox, post }) => {
      const { secret } = await sandbox.call(api.apiKeys.create, { scopes: ['refunds:write'] })
      rateLimit.isOn = false
      await post('/v1/customers', { email: 'ada@example.com' }, { 'Idempotency-Key': 'used' })
      rateLimit.isOn = true
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
        ['rate_limit', () => Object.assign(rateLimit, { isOn: false })],
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
        codes.push(errorIn(await sendRequest(served.apiUrl + path, { method: 'POST', ...rest }))['code'])
        fix()
      }
      assert.equal(
        codes,
        fixes.map(([code]) => code),
      )
      return post('/v1/nothing', {})
    },
    {},
    { limit },
  )
})

test.run()
