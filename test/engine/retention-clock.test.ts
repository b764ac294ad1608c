import { api } from '../../src/api/api.ts'
import { openRequestLogWriter } from '../../src/engine/request-logs.ts'
import { deleteExpiredRecords } from '../../src/engine/retention.ts'
import { getRetentionTime, initializeRetentionClock } from '../../src/engine/retention-clock.ts'
import { put } from '../store/fixture.ts'
import { SAMPLES } from '../store/samples.ts'
import { sendIdempotent } from '../support/idempotent-requests.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/retention-clock')

const RULES = { maxAgeSeconds: 30 * DAY, maxEvents: 1000 }
const ADA = { operation: api.customers.create, key: 'key', body: { email: 'a@example.com' } }

/** Returns the runtime of another process on the same store, with an offset of its clock in seconds. */
async function createOtherProcess(
  { runtime, store }: Sandbox,
  offset: () => number,
): Promise<Sandbox['runtime']> {
  const other = { ...runtime, store: { ...store }, wallNow: () => runtime.wallNow() + offset() }
  await initializeRetentionClock(other.store)
  return other
}

for (const jump of [2 * DAY, 60 * DAY]) {
  test(`keeps stored responses for a day after the clock jumps ${jump / DAY} days, also after a restart`, async () => {
    const sandbox = createSandbox()
    await deleteExpiredRecords(sandbox.runtime, RULES)
    await sendIdempotent(sandbox.runtime, ADA)
    await sandbox.advance(jump)
    const restarted = await createOtherProcess(sandbox, () => 0)
    for (let hour = 0; hour < 23; hour += 1) {
      for (const one of [restarted, sandbox.runtime]) {
        assert.is.not((await sendIdempotent(one, ADA)).replayOf, null)
        assert.is(await deleteExpiredRecords(one, RULES), 0)
      }
      await sandbox.advance(3600)
    }
    assert.is.not((await sendIdempotent(sandbox.runtime, ADA)).replayOf, null)
    await sandbox.advance(3600)
    assert.is((await sendIdempotent(restarted, ADA)).replayOf, null)
  })
}

for (const offset of [-60, -3600, 1 - DAY, -DAY, -DAY - 3600, -60 * DAY, DAY - 1, 60 * DAY]) {
  test(`retention time gains no day when the clocks of two processes differ by ${offset} s`, async () => {
    const sandbox = createSandbox()
    await newCustomer(sandbox)
    await deleteExpiredRecords(sandbox.runtime, RULES)
    await newCustomer(sandbox)
    const other = await createOtherProcess(sandbox, () => offset)
    for (let minute = 0; minute < 60; minute += 1) {
      await sandbox.advance(60)
      assert.is(await deleteExpiredRecords(sandbox.runtime, RULES), 0)
      assert.is(await deleteExpiredRecords(other, RULES), 0)
    }
    assert.is((await sandbox.events()).length, 2)
    assert.is((await sandbox.store.listOldest('retention_marks', 100)).length <= 2, true)
  })
}

test('keeps form tokens and request logs for a day after the clock jumps while the daemon is stopped', async () => {
  const sandbox = createSandbox()
  const { store } = sandbox
  const token = { ...SAMPLES.form_tokens, used_at: sandbox.now() }
  const log = { ...SAMPLES.request_logs, created: sandbox.now() }
  await put(store, token, log)
  await deleteExpiredRecords(sandbox.runtime, RULES)
  await sandbox.advance(60 * DAY)
  const restarted = await createOtherProcess(sandbox, () => 0)
  const logs = await openRequestLogWriter(store, () => getRetentionTime(restarted))
  const kept = async () => [await store.get('form_tokens', token.id), await store.get('request_logs', log.id)]
  for (let hour = 0; hour < 24; hour += 1) {
    await logs.flush()
    assert.is(await deleteExpiredRecords(restarted, RULES), 0)
    assert.equal(await kept(), [token, log])
    await sandbox.advance(3600)
  }
  await logs.flush()
  assert.is(await deleteExpiredRecords(restarted, RULES), 1)
  assert.equal(await kept(), [null, null])
})

test('deletes no stored response when a process resumes after being suspended for days', async () => {
  for (const isAlone of [true, false]) {
    const sandbox = createSandbox()
    const suspended = await createOtherProcess(sandbox, () => 0)
    await deleteExpiredRecords(suspended, RULES)
    await newCustomer(sandbox)
    for (let hour = 0; hour < 100; hour += 1) {
      await sandbox.advance(3600)
      if (!isAlone) await deleteExpiredRecords(sandbox.runtime, RULES)
    }
    await sendIdempotent(sandbox.runtime, ADA)
    for (let minute = 0; minute < 60; minute += 1) {
      for (const one of [suspended, sandbox.runtime]) {
        assert.is.not((await sendIdempotent(one, ADA)).replayOf, null)
        assert.is(await deleteExpiredRecords(one, RULES), 0)
      }
      await sandbox.advance(60)
    }
    const marks = await sandbox.store.listOldest('retention_marks', 100)
    assert.is(marks.length, isAlone ? 1 : 5)
  }
})

test.run()
