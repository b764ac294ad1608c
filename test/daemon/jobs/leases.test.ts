import { createLeases } from '../../../src/daemon/jobs/leases.ts'
import { assert, suite } from '../../support/suite.ts'
import { createFakeCoordinator } from '../fake-coordinator.ts'

const test = suite('daemon/leases')

function setUp() {
  const coordinator = createFakeCoordinator()
  const time = { ms: 1000 }
  const leases = createLeases(coordinator, { prefix: 'p:', monotonicMs: () => time.ms })
  return { coordinator, time, leases }
}

test('holds a lease until it expires', async () => {
  const { coordinator, time, leases } = setUp()
  assert.not.ok(leases.holds('a'))
  await leases.acquire(['a'])
  assert.equal(coordinator.calls, ['take p:a 10'])
  time.ms += 9999
  assert.ok(leases.holds('a'))
  time.ms += 1
  assert.not.ok(leases.holds('a'))
})

test('measures the duration of a lease from the start of the query', async () => {
  const { coordinator, time, leases } = setUp()
  const slow: typeof coordinator.acquireLeases = async (names) => {
    time.ms += 4000
    return names
  }
  const late = createLeases(
    { ...coordinator, acquireLeases: slow },
    { prefix: '', monotonicMs: () => time.ms },
  )
  await late.acquire(['a'])
  time.ms += 5999
  assert.ok(late.holds('a'))
  time.ms += 1
  assert.not.ok(late.holds('a'))
  assert.not.ok(leases.holds('a'))
})

test('renews a lease after half of its duration', async () => {
  const { coordinator, time, leases } = setUp()
  await leases.acquire(['a'])
  time.ms += 5000
  await leases.acquire(['a'])
  assert.is(coordinator.calls.length, 1)
  time.ms += 1
  await leases.acquire(['a'])
  assert.equal(coordinator.calls, ['take p:a 10', 'take p:a 10'])
  time.ms += 9999
  assert.ok(leases.holds('a'))
})

test('retries to lease a name of another process every 500 ms until that process releases the name', async () => {
  const { coordinator, time, leases } = setUp()
  coordinator.elsewhere.add('p:b')
  await leases.acquire(['a', 'b'])
  assert.equal([leases.holds('a'), leases.holds('b')], [true, false])
  time.ms += 499
  await leases.acquire(['a', 'b'])
  assert.is(coordinator.calls.length, 1)
  coordinator.elsewhere.clear()
  time.ms += 1
  await leases.acquire(['a', 'b'])
  assert.equal(coordinator.calls, ['take p:a,p:b 10', 'take p:b 10'], 'held names are not queried again')
  assert.ok(leases.holds('b'))
})

test('releases names that are no longer requested, and leases them again immediately on request', async () => {
  const { coordinator, leases } = setUp()
  await leases.acquire(['a', 'b'])
  await leases.acquire(['b'])
  assert.equal([leases.holds('a'), leases.holds('b')], [false, true])
  await leases.acquire(['a', 'b'])
  assert.equal(coordinator.calls, ['take p:a,p:b 10', 'release p:a', 'take p:a 10'])
})

test('concurrent calls of acquire() share one query', async () => {
  const { coordinator, leases } = setUp()
  await Promise.all([leases.acquire(['a']), leases.acquire(['a']), leases.acquire(['a'])])
  assert.equal(coordinator.calls, ['take p:a 10'])
})

test('acquire() leases an equal share of common names and all own names of the process', async () => {
  const { coordinator, time } = setUp()
  coordinator.processes = 2
  const own = new Set(['own-1', 'own-2'])
  const leases = createLeases(coordinator, {
    prefix: '',
    monotonicMs: () => time.ms,
    isOwn: (name) => own.has(name),
  })
  const names = ['a', 'b', 'c', 'd', 'e', ...own]
  const held = () => names.filter(leases.holds)
  await leases.acquire(names)
  assert.equal(held(), ['a', 'b', 'c', ...own])
  // More processes join, so the share shrinks and the excess is released.
  coordinator.processes = 5
  time.ms += 6000
  await leases.acquire(names)
  assert.equal(held(), ['a', ...own])
  coordinator.processes = 1
  time.ms += 2000
  await leases.acquire(names)
  assert.equal(held(), names, 'the last process holds everything')
})

test('loses a lease that another process has taken', async () => {
  const { coordinator, time, leases } = setUp()
  await leases.acquire(['a'])
  coordinator.elsewhere.add('p:a')
  time.ms += 6000
  await leases.acquire(['a'])
  assert.not.ok(leases.holds('a'))
})

test('releases a name above its share only when the name is idle', async () => {
  const { coordinator, time, leases } = setUp()
  const names = ['a', 'b', 'c']
  const busy = new Set(['b'])
  await leases.acquire(names)
  coordinator.processes = 3
  time.ms += 2000
  await leases.acquire(names, (name) => busy.has(name))
  assert.equal(names.filter(leases.holds), ['a'])
  assert.equal(coordinator.calls, ['take p:a,p:b,p:c 10', 'release p:c'])
  busy.clear()
  await leases.acquire(names, (name) => busy.has(name))
  assert.equal(coordinator.calls.slice(2), ['release p:b'])
})

test('keeps renewing the lease of a busy name when the process exceeds its share', async () => {
  const { coordinator, time, leases } = setUp()
  const isBusy = (name: string) => name === 'b'
  await leases.acquire(['a', 'b'])
  coordinator.processes = 2
  for (let seconds = 2; seconds <= 30; seconds += 2) {
    time.ms += 2000
    await leases.acquire(['a', 'b'], isBusy)
  }
  assert.not.ok(leases.holds('b'))
  const kept = coordinator.calls.filter((one) => one === 'take p:b 10')
  assert.ok(kept.length >= 5, `${coordinator.calls}`)
  assert.not.ok(coordinator.calls.includes('release p:b'))
})

test('a late query result does not restore a released lease', async () => {
  const { coordinator, time } = setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isSlow = false
  const take: typeof coordinator.acquireLeases = async (...args) => {
    const taken = await coordinator.acquireLeases(...args)
    if (isSlow) await promise
    return taken
  }
  const leases = createLeases(
    { ...coordinator, acquireLeases: take },
    { prefix: 'p:', monotonicMs: () => time.ms },
  )
  await leases.acquire(['a', 'b'])
  time.ms += 6000
  isSlow = true
  const renewing = leases.acquire(['a', 'b'])
  const sharingOut = leases.acquire(['a'])
  resolve()
  await Promise.all([renewing, sharingOut])
  assert.equal([leases.holds('a'), leases.holds('b')], [true, false])
  assert.is(coordinator.calls.at(-1), 'release p:b')
})

test('keeps leases until they expire while the store is unavailable', async () => {
  const { coordinator, time, leases } = setUp()
  await leases.acquire(['a'])
  coordinator.failure = new Error('the store is unavailable')
  time.ms += 6000
  assert.match(String(await leases.acquire(['a']).catch((error: unknown) => error)), 'is unavailable')
  time.ms += 3999
  assert.ok(leases.holds('a'))
  time.ms += 1
  assert.not.ok(leases.holds('a'))
  coordinator.failure = null
  await leases.acquire(['a'])
  assert.ok(leases.holds('a'))
})

test.run()
