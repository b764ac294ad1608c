import { createClaims } from '../../src/daemon/leases.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeSharing } from './fake-sharing.ts'

const test = suite('daemon/claims')

function setUp() {
  const sharing = createFakeSharing()
  const time = { ms: 1000 }
  const claims = createClaims(sharing, { prefix: 'p:', monotonicMs: () => time.ms })
  return { sharing, time, claims }
}

test('a process that is alone has everything and asks nobody', async () => {
  const claims = createClaims(undefined, { prefix: 'p:', monotonicMs: () => 0 })
  await claims.want([])
  assert.ok(claims.has('a'))
})

test('what was taken is had for as long as the lease that was asked for, and no longer', async () => {
  const { sharing, time, claims } = setUp()
  assert.not.ok(claims.has('a'))
  await claims.want(['a'])
  assert.equal(sharing.asked, ['take p:a 10'])
  time.ms += 9999
  assert.ok(claims.has('a'))
  time.ms += 1
  assert.not.ok(claims.has('a'))
})

test('a lease counts from before it was asked for: the answer may take its time', async () => {
  const { sharing, time, claims } = setUp()
  const slow: typeof sharing.take = async (names) => {
    time.ms += 4000
    return names
  }
  const late = createClaims({ ...sharing, take: slow }, { prefix: '', monotonicMs: () => time.ms })
  await late.want(['a'])
  time.ms += 5999
  assert.ok(late.has('a'))
  time.ms += 1
  assert.not.ok(late.has('a'))
  assert.not.ok(claims.has('a'))
})

test('a lease is renewed at half of its time, and not before', async () => {
  const { sharing, time, claims } = setUp()
  await claims.want(['a'])
  time.ms += 5000
  await claims.want(['a'])
  assert.is(sharing.asked.length, 1)
  time.ms += 1
  await claims.want(['a'])
  assert.equal(sharing.asked, ['take p:a 10', 'take p:a 10'])
  time.ms += 9999
  assert.ok(claims.has('a'))
})

test('what another process has is asked for again after a while, and had when it lets go', async () => {
  const { sharing, time, claims } = setUp()
  sharing.elsewhere.add('p:b')
  await claims.want(['a', 'b'])
  assert.equal([claims.has('a'), claims.has('b')], [true, false])
  time.ms += 499
  await claims.want(['a', 'b'])
  assert.is(sharing.asked.length, 1)
  sharing.elsewhere.clear()
  time.ms += 1
  await claims.want(['a', 'b'])
  assert.equal(sharing.asked, ['take p:a,p:b 10', 'take p:b 10'], 'what it has need not be asked for')
  assert.ok(claims.has('b'))
})

test('what is not wanted any more is given back, and asked for at once when it is wanted again', async () => {
  const { sharing, claims } = setUp()
  await claims.want(['a', 'b'])
  await claims.want(['b'])
  assert.equal([claims.has('a'), claims.has('b')], [false, true])
  await claims.want(['a', 'b'])
  assert.equal(sharing.asked, ['take p:a,p:b 10', 'release p:a', 'take p:a 10'])
})

test('whoever asks while somebody else does asks the store nothing', async () => {
  const { sharing, claims } = setUp()
  await Promise.all([claims.want(['a']), claims.want(['a']), claims.want(['a'])])
  assert.equal(sharing.asked, ['take p:a 10'])
})

test('a process takes its share of what all want, and of what it alone wants everything', async () => {
  const { sharing, time } = setUp()
  sharing.processes = 2
  const own = new Set(['own-1', 'own-2'])
  const claims = createClaims(sharing, {
    prefix: '',
    monotonicMs: () => time.ms,
    isOwn: (name) => own.has(name),
  })
  const names = ['a', 'b', 'c', 'd', 'e', ...own]
  const held = () => names.filter(claims.has)
  await claims.want(names)
  assert.equal(held(), ['a', 'b', 'c', ...own])
  // As many come as make its share smaller; what is too much is let go, and not taken again.
  sharing.processes = 5
  time.ms += 6000
  await claims.want(names)
  assert.equal(held(), ['a', ...own])
  sharing.processes = 1
  time.ms += 2000
  await claims.want(names)
  assert.equal(held(), names, 'who is left has everything')
})

test('a lease that another process took meanwhile is lost at once', async () => {
  const { sharing, time, claims } = setUp()
  await claims.want(['a'])
  sharing.elsewhere.add('p:a')
  time.ms += 6000
  await claims.want(['a'])
  assert.not.ok(claims.has('a'))
})

test('when a process comes, what is too much for a share is given back, and not before what is begun has ended', async () => {
  const { sharing, time, claims } = setUp()
  const names = ['a', 'b', 'c']
  const busy = new Set(['b'])
  await claims.want(names)
  sharing.processes = 3
  time.ms += 2000
  await claims.want(names, (name) => busy.has(name))
  assert.equal(names.filter(claims.has), ['a'])
  assert.equal(sharing.asked, ['take p:a,p:b,p:c 10', 'release p:c'])
  busy.clear()
  await claims.want(names, (name) => busy.has(name))
  assert.equal(sharing.asked.slice(2), ['release p:b'])
})

test('what it is still busy with keeps its lease, however long that takes', async () => {
  const { sharing, time, claims } = setUp()
  const isBusy = (name: string) => name === 'b'
  await claims.want(['a', 'b'])
  sharing.processes = 2
  for (let seconds = 2; seconds <= 30; seconds += 2) {
    time.ms += 2000
    await claims.want(['a', 'b'], isBusy)
  }
  assert.not.ok(claims.has('b'))
  const kept = sharing.asked.filter((one) => one === 'take p:b 10')
  assert.ok(kept.length >= 5, `${sharing.asked}`)
  assert.not.ok(sharing.asked.includes('release p:b'))
})

test('what is let go of while an answer is on its way is not taken back by it', async () => {
  const { sharing, time } = setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isSlow = false
  const take: typeof sharing.take = async (...asked) => {
    const taken = await sharing.take(...asked)
    if (isSlow) await promise
    return taken
  }
  const claims = createClaims({ ...sharing, take }, { prefix: 'p:', monotonicMs: () => time.ms })
  await claims.want(['a', 'b'])
  time.ms += 6000
  isSlow = true
  const renewing = claims.want(['a', 'b'])
  const sharingOut = claims.want(['a'])
  resolve()
  await Promise.all([renewing, sharingOut])
  assert.equal([claims.has('a'), claims.has('b')], [true, false])
  assert.is(sharing.asked.at(-1), 'release p:b')
})

test('a store that takes nothing leaves what is held until its time', async () => {
  const { sharing, time, claims } = setUp()
  await claims.want(['a'])
  sharing.failure = new Error('the store went away')
  time.ms += 6000
  assert.match(String(await claims.want(['a']).catch((error: unknown) => error)), 'went away')
  time.ms += 3999
  assert.ok(claims.has('a'))
  time.ms += 1
  assert.not.ok(claims.has('a'))
  sharing.failure = null
  await claims.want(['a'])
  assert.ok(claims.has('a'))
})

test.run()
