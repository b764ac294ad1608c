import { api } from '../../src/api/index.ts'
import { openRequestLogs } from '../../src/engine/request-logs.ts'
import { dropExpired } from '../../src/engine/retention.ts'
import { loadClockState, settledNow } from '../../src/engine/settled-time.ts'
import { put } from '../store/fixture.ts'
import { SAMPLES } from '../store/samples.ts'
import { sendKeyed } from '../support/keyed.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/settled-time')

const RULES = { maxAgeSeconds: 30 * DAY, maxEvents: 1000 }
const ADA = { operation: api.customers.create, key: 'key', body: { email: 'a@example.com' } }

/** Another process at the store of a sandbox, whose wall clock is off by some seconds. */
async function anotherProcess(
  { runtime, store }: Sandbox,
  offset: () => number,
): Promise<Sandbox['runtime']> {
  const other = { ...runtime, store: { ...store }, wallNow: () => runtime.wallNow() + offset() }
  await loadClockState(other.store)
  return other
}

for (const jump of [2 * DAY, 60 * DAY]) {
  test(`a clock that jumps ${jump / DAY} days forward ends no answer for a day, also beside a restart`, async () => {
    const sandbox = createSandbox()
    await dropExpired(sandbox.runtime, RULES)
    await sendKeyed(sandbox.runtime, ADA)
    await sandbox.advance(jump)
    const restarted = await anotherProcess(sandbox, () => 0)
    for (let hour = 0; hour < 23; hour += 1) {
      for (const one of [restarted, sandbox.runtime]) {
        assert.is.not((await sendKeyed(one, ADA)).replayOf, null)
        assert.is(await dropExpired(one, RULES), 0)
      }
      await sandbox.advance(3600)
    }
    assert.is.not((await sendKeyed(sandbox.runtime, ADA)).replayOf, null)
    await sandbox.advance(3600)
    assert.is((await sendKeyed(restarted, ADA)).replayOf, null)
  })
}

for (const offset of [-60, -3600, 1 - DAY, -DAY, -DAY - 3600, -60 * DAY, DAY - 1, 60 * DAY]) {
  test(`sweeps of two processes whose clocks differ by ${offset} s count no days`, async () => {
    const sandbox = createSandbox()
    await newCustomer(sandbox)
    await dropExpired(sandbox.runtime, RULES)
    await newCustomer(sandbox)
    const other = await anotherProcess(sandbox, () => offset)
    for (let minute = 0; minute < 60; minute += 1) {
      await sandbox.advance(60)
      assert.is(await dropExpired(sandbox.runtime, RULES), 0)
      assert.is(await dropExpired(other, RULES), 0)
    }
    assert.is((await sandbox.events()).length, 2)
    assert.is((await sandbox.store.oldest('retention_marks', 100)).length <= 2, true)
  })
}

test('a clock that jumps while the service is stopped ends no form token and no request log for a day', async () => {
  const sandbox = createSandbox()
  const { store } = sandbox
  const token = { ...SAMPLES.form_tokens, used_at: sandbox.now() }
  const log = { ...SAMPLES.request_logs, created: sandbox.now() }
  await put(store, token, log)
  await dropExpired(sandbox.runtime, RULES)
  await sandbox.advance(60 * DAY)
  const restarted = await anotherProcess(sandbox, () => 0)
  const logs = await openRequestLogs(store, () => settledNow(restarted))
  const kept = async () => [await store.get('form_tokens', token.id), await store.get('request_logs', log.id)]
  for (let hour = 0; hour < 24; hour += 1) {
    await logs.flush()
    assert.is(await dropExpired(restarted, RULES), 0)
    assert.equal(await kept(), [token, log])
    await sandbox.advance(3600)
  }
  await logs.flush()
  assert.is(await dropExpired(restarted, RULES), 1)
  assert.equal(await kept(), [null, null])
})

test('a process that was suspended for days drops nothing when it goes on, beside others or alone', async () => {
  for (const isAlone of [true, false]) {
    const sandbox = createSandbox()
    const suspended = await anotherProcess(sandbox, () => 0)
    await dropExpired(suspended, RULES)
    await newCustomer(sandbox)
    for (let hour = 0; hour < 100; hour += 1) {
      await sandbox.advance(3600)
      if (!isAlone) await dropExpired(sandbox.runtime, RULES)
    }
    await sendKeyed(sandbox.runtime, ADA)
    for (let minute = 0; minute < 60; minute += 1) {
      for (const one of [suspended, sandbox.runtime]) {
        assert.is.not((await sendKeyed(one, ADA)).replayOf, null)
        assert.is(await dropExpired(one, RULES), 0)
      }
      await sandbox.advance(60)
    }
    const marks = await sandbox.store.oldest('retention_marks', 100)
    assert.is(marks.length, isAlone ? 1 : 5)
  }
})

test.run()
