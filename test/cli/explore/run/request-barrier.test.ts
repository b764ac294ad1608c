import { createRequestBarrier } from '../../../../src/cli/explore/run/request-barrier.ts'
import { assert, suite } from '../../../support/suite.ts'
import { withHeldTimers } from '../../../support/timers.ts'

const test = suite('cli/explore/request-barrier')

const MAX_WAIT_MS = 500

/** Sends requests through a barrier and returns the names of the requests that have been forwarded so far. */
async function forwardedAfter(
  barrier: ReturnType<typeof createRequestBarrier>,
  requests: readonly string[],
  forwarded: string[] = [],
): Promise<string[]> {
  for (const request of requests) void barrier.pass(request).then(() => forwarded.push(request))
  await new Promise(setImmediate)
  return forwarded
}

test('forwards a request immediately while there are no copies of a delivery', async () => {
  assert.equal(await forwardedAfter(createRequestBarrier(Date.now), ['a', 'a', 'b']), ['a', 'a', 'b'])
})

test('holds a request until each other copy has sent a request of the same operation', async () => {
  await withHeldTimers([MAX_WAIT_MS], async () => {
    const barrier = createRequestBarrier(() => 0)
    barrier.raise(3)
    const forwarded: string[] = []
    assert.equal(await forwardedAfter(barrier, ['a', 'b', 'a'], forwarded), [])
    assert.equal(await forwardedAfter(barrier, ['a'], forwarded), ['a', 'a', 'a'])
    // The next requests of the copies wait again.
    assert.equal(await forwardedAfter(barrier, ['a', 'b'], forwarded), ['a', 'a', 'a'])
  })
})

test('forwards all requests once a request has waited for the maximum time', async () => {
  await withHeldTimers([MAX_WAIT_MS], async ({ ring }) => {
    const barrier = createRequestBarrier(() => 0)
    barrier.raise(2)
    const forwarded: string[] = []
    assert.equal(await forwardedAfter(barrier, ['a', 'b'], forwarded), [])
    ring(MAX_WAIT_MS)
    assert.equal((await forwardedAfter(barrier, ['c'], forwarded)).toSorted(), ['a', 'b', 'c'])
  })
})

test('holds requests of background work only up to the maximum wait after all copies have a response', async () => {
  await withHeldTimers([MAX_WAIT_MS], async () => {
    let nowMs = 0
    const barrier = createRequestBarrier(() => nowMs)
    const lower = barrier.raise(2)
    nowMs = 10_000
    lower()
    nowMs += MAX_WAIT_MS
    assert.equal(await forwardedAfter(barrier, ['a']), [])
    nowMs += 1
    assert.equal(await forwardedAfter(barrier, ['b']), ['b'])
  })
})

test('releases the requests of an earlier delivery when copies of the next delivery are sent', async () => {
  await withHeldTimers([MAX_WAIT_MS], async () => {
    const barrier = createRequestBarrier(() => 0)
    const lowerFirst = barrier.raise(2)
    const forwarded: string[] = []
    await forwardedAfter(barrier, ['a'], forwarded)
    barrier.raise(2)
    lowerFirst()
    assert.equal(await forwardedAfter(barrier, ['b'], forwarded), ['a'])
  })
})

test.run()
