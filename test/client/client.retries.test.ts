import { customers } from '../../src/api/operations/customers.ts'
import type { ApiError } from '../../src/client/api-error.ts'
import { createClient } from '../../src/client/client.ts'
import type { ConnectionError } from '../../src/client/connection-error.ts'
import { assert, suite } from '../support/suite.ts'
import {
  ADA,
  assertConnectionError,
  createCustomer,
  createWithTimeout,
  createWithTimeoutDuringWait,
  runAgainst,
} from './client-fixtures.ts'
import { errorResponse } from './fake-server.ts'

const retries = suite('retries')

const retrieve = ({ url }: { readonly url: string }) =>
  createClient({ apiBase: url }).call(customers.retrieve, { id: 'cus_1' })

retries('retries a GET after a lost connection', async () => {
  const { outcome, seen } = await runAgainst((_seen, count) => (count < 3 ? 'cut' : { body: ADA }), retrieve)
  assert.equal(outcome, ADA)
  assert.is(seen.length, 3)
})

retries('retries a POST after a lost connection with the same idempotency key', async () => {
  const { outcome, seen } = await runAgainst(
    (_seen, count) => (count < 3 ? 'cut' : { body: ADA }),
    createCustomer,
  )
  assert.equal(outcome, ADA)
  assert.is(seen.length, 3)
  assert.is(new Set(seen.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size, 1)
})

retries('throws connection_lost after three lost connections', async () => {
  const { outcome, seen } = await runAgainst(() => 'cut', retrieve)
  assert.is(seen.length, 3)
  assertConnectionError(outcome, 'connection_lost', /closed the connection/)
})

for (const [code, send] of [
  ['connection_lost', () => runAgainst(() => 'cut', createCustomer)],
  ['timeout', createWithTimeout],
] as const) {
  retries(`names the idempotency key in a ${code} error of a POST, but not of a GET`, async () => {
    const { outcome, seen } = await send()
    const key = String(seen[0]?.headers['idempotency-key'])
    assertConnectionError(outcome, code, new RegExp(`with the idempotency key ${key}`))
    assert.is((outcome as ConnectionError).idempotencyKey, key)
    const read = await runAgainst(() => 'cut', retrieve)
    assert.is((read.outcome as ConnectionError).idempotencyKey, null)
  })
}

retries('names no idempotency key in the error of a POST that never reached a server', async () => {
  const outcome = await createCustomer({ url: 'http://127.0.0.1:9' }).catch((error: unknown) => error)
  assertConnectionError(outcome, 'connection_refused', /No paycli server/)
  assert.is((outcome as ConnectionError).idempotencyKey, null)
})

retries('does not retry a DELETE, which the server may have executed', async () => {
  const { outcome, seen } = await runAgainst(
    () => 'cut',
    ({ url }) => createClient({ apiBase: url }).call(customers.delete, { id: 'cus_1' }),
  )
  assert.is(seen.length, 1)
  assertConnectionError(outcome, 'connection_lost', /closed the connection/)
})

retries('retries a 409 with Retry-After', async () => {
  const busy = errorResponse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  const { outcome, seen } = await runAgainst(
    (_seen, count) => (count < 3 ? { ...busy, headers: { 'Retry-After': '0' } } : { body: ADA }),
    createCustomer,
  )
  assert.equal(outcome, ADA)
  assert.is(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1)
})

retries('throws the error of a 409 without Retry-After, and of a 409 that persists', async () => {
  const busy = errorResponse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  const final = await runAgainst(() => busy, createCustomer)
  assert.is(final.seen.length, 1)
  const persistent = await runAgainst(() => ({ ...busy, headers: { 'Retry-After': '0' } }), createCustomer)
  assert.is(persistent.seen.length, 3)
  for (const { outcome } of [final, persistent]) assert.is((outcome as ApiError).status, 409)
})

retries('counts the wait between attempts towards the timeout', async () => {
  const busy = errorResponse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  const { outcome, seen } = await createWithTimeoutDuringWait(
    { ...busy, headers: { 'Retry-After': '5' } },
    5000,
  )
  assert.is(seen.length, 1)
  assertConnectionError(outcome, 'timeout', /did not respond within 0\.1 s/)
})

retries.run()
