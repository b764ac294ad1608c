import { customers } from '../../src/api/operations/customers.ts'
import type { ApiError } from '../../src/client/api-error.ts'
import { createClient } from '../../src/client/client.ts'
import type { ConnectionError } from '../../src/client/connection-error.ts'
import { assert, suite } from '../support/suite.ts'
import { ADA, against, againstTime, againstTimeAmidWait, assertConnectionError, create } from './asked.ts'
import { errorAnswer } from './fake-server.ts'

const retries = suite('retries')

const retrieve = ({ url }: { readonly url: string }) =>
  createClient({ apiBase: url }).call(customers.retrieve, { id: 'cus_1' })

retries('a cut connection is tried again when nothing can have changed', async () => {
  const { outcome, seen } = await against((_seen, count) => (count < 3 ? 'cut' : { body: ADA }), retrieve)
  assert.equal(outcome, ADA)
  assert.is(seen.length, 3)
})

retries('a POST whose answer was lost is sent again with the same key', async () => {
  const { outcome, seen } = await against((_seen, count) => (count < 3 ? 'cut' : { body: ADA }), create)
  assert.equal(outcome, ADA)
  assert.is(seen.length, 3)
  assert.is(new Set(seen.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size, 1)
})

retries('three cuts are enough', async () => {
  const { outcome, seen } = await against(() => 'cut', retrieve)
  assert.is(seen.length, 3)
  assertConnectionError(outcome, 'connection_lost', /closed the connection/)
})

for (const [code, asked] of [
  ['connection_lost', () => against(() => 'cut', create)],
  ['timeout', againstTime],
] as const) {
  retries(`a POST that ends in ${code} names the key to send it again with; a GET has none`, async () => {
    const { outcome, seen } = await asked()
    const key = String(seen[0]?.headers['idempotency-key'])
    assertConnectionError(outcome, code, new RegExp(`with the idempotency key ${key}`))
    assert.is((outcome as ConnectionError).idempotencyKey, key)
    const read = await against(() => 'cut', retrieve)
    assert.is((read.outcome as ConnectionError).idempotencyKey, null)
  })
}

retries('a POST that never arrived has nothing to be repeated with', async () => {
  const outcome = await create({ url: 'http://127.0.0.1:9' }).catch((error: unknown) => error)
  assertConnectionError(outcome, 'connection_refused', /No paycli daemon/)
  assert.is((outcome as ConnectionError).idempotencyKey, null)
})

retries('a DELETE is not repeated: it may have been done before the answer was lost', async () => {
  const { outcome, seen } = await against(
    () => 'cut',
    ({ url }) => createClient({ apiBase: url }).call(customers.delete, { id: 'cus_1' }),
  )
  assert.is(seen.length, 1)
  assertConnectionError(outcome, 'connection_lost', /closed the connection/)
})

retries('a 409 is tried again when it says when', async () => {
  const busy = errorAnswer(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  const { outcome, seen } = await against(
    (_seen, count) => (count < 3 ? { ...busy, headers: { 'Retry-After': '0' } } : { body: ADA }),
    create,
  )
  assert.equal(outcome, ADA)
  assert.is(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1)
})

retries('a 409 is told when it does not, and when it stays', async () => {
  const busy = errorAnswer(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  const told = await against(() => busy, create)
  assert.is(told.seen.length, 1)
  const stays = await against(() => ({ ...busy, headers: { 'Retry-After': '0' } }), create)
  assert.is(stays.seen.length, 3)
  for (const { outcome } of [told, stays]) assert.is((outcome as ApiError).status, 409)
})

retries('waiting counts towards the time a call may take', async () => {
  const busy = errorAnswer(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
  const { outcome, seen } = await againstTimeAmidWait({ ...busy, headers: { 'Retry-After': '5' } }, 5000)
  assert.is(seen.length, 1)
  assertConnectionError(outcome, 'timeout', /did not answer within 0\.1 s/)
})

retries.run()
