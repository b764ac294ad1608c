import {
  createEventLoopYield,
  createSerialRunner,
  createSingleFlight,
  runAtTurnEnd,
  startTicker,
  waitAtMost,
  waitForNextTurn,
} from '../../../src/daemon/system/task-scheduling.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/system/task-scheduling')

/** Counts calls and lets a test wait for one of them. */
function counter() {
  const waiting = new Map<number, () => void>()
  let count = 0
  return {
    count: () => count,
    called() {
      count += 1
      waiting.get(count)?.()
      return count
    },
    reaches: (wanted: number) => new Promise<void>((resolve) => waiting.set(wanted, resolve)),
  }
}

test('calls the function repeatedly, one call at a time', async () => {
  const calls = counter()
  const third = calls.reaches(3)
  let running = 0
  const ticker = startTicker(
    async () => {
      running += 1
      assert.is(running, 1)
      await waitForNextTurn()
      running -= 1
      calls.called()
    },
    { everyMs: 1, onError: (error) => assert.unreachable(String(error)) },
  )
  await third
  await ticker.stop()
})

test('reports an error of a call and continues with the next call', async () => {
  const calls = counter()
  const errors: unknown[] = []
  const third = calls.reaches(3)
  const ticker = startTicker(
    async () => {
      throw new Error(`call ${calls.called()}`)
    },
    { everyMs: 1, onError: (error) => errors.push(error) },
  )
  await third
  await ticker.stop()
  assert.equal(errors.slice(0, 2).map(String), ['Error: call 1', 'Error: call 2'])
})

test('stop() waits for the running call and prevents further calls', async () => {
  const calls = counter()
  const begun = calls.reaches(1)
  const gate = Promise.withResolvers<void>()
  let isDone = false
  const ticker = startTicker(
    async () => {
      calls.called()
      await gate.promise
      isDone = true
    },
    { everyMs: 1, onError: () => {} },
  )
  await begun
  let isStopped = false
  const stopped = ticker.stop().then(() => {
    isStopped = true
  })
  await waitForNextTurn()
  assert.not(isStopped)
  gate.resolve()
  await stopped
  assert.ok(isDone)
  await waitAtMost(new Promise(() => {}), 5)
  assert.is(calls.count(), 1)
})

test('makes no call when the ticker is stopped before its first call', async () => {
  const calls = counter()
  const ticker = startTicker(async () => void calls.called(), { everyMs: 1, onError: () => {} })
  await ticker.stop()
  await waitAtMost(new Promise(() => {}), 5)
  assert.is(calls.count(), 0)
})

test('waitAtMost() resolves with the result, or null after the limit', async () => {
  assert.is(await waitAtMost(Promise.resolve('done'), 10_000), 'done')
  assert.is(await waitAtMost(new Promise(() => {}), 1), null)
  const failing = waitAtMost(Promise.reject(new Error('no')), 10_000)
  assert.match(String(await failing.catch((error: unknown) => error)), 'no')
})

test('runs one round at a time, even when called in a microtask after the end of a round', async () => {
  for (let delay = 0; delay < 10; delay += 1) {
    const called = Promise.withResolvers<void>()
    let begun = 0
    let running = 0
    const { run } = createSerialRunner(async () => {
      begun += 1
      running += 1
      assert.is(running, 1)
      const isFirst = begun === 1
      await waitForNextTurn()
      if (isFirst) callAfterMicrotasks(delay).then(called.resolve, called.reject)
      running -= 1
    })
    const callAfterMicrotasks = async (count: number) => {
      for (let passed = 0; passed < count; passed += 1) await null
      await run()
    }
    await Promise.all([run(), run(), called.promise])
  }
})

test('runs one round at a time, queued calls share the next round, and a failed round rejects only its callers', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let begun = 0
  const { run } = createSerialRunner(async () => {
    begun += 1
    await gates[begun - 1]?.promise
  })
  const calls = [run(), run(), run()]
  await waitForNextTurn()
  assert.is(begun, 1)
  gates[0]?.reject(new Error('no'))
  assert.match(String(await calls[0]?.catch((error: unknown) => error)), 'no')
  await waitForNextTurn()
  assert.is(begun, 2)
  gates[1]?.resolve()
  await Promise.all(calls.slice(1))
  assert.is(begun, 2)
  await run()
  assert.is(begun, 3)
})

test('end() waits for the current round and skips queued rounds', async () => {
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const { run, end } = createSerialRunner(async () => {
    begun += 1
    await gate.promise
  })
  const calls = [run(), run()]
  await waitForNextTurn()
  let isOver = false
  const over = end().then(() => {
    isOver = true
  })
  calls.push(run())
  await waitForNextTurn()
  assert.is(isOver, false)
  gate.resolve()
  await Promise.all([...calls, over])
  assert.is(begun, 1)
})

test('yields to the event loop after the interval, shared by all callers', async () => {
  let now = 0
  const yieldToEventLoop = createEventLoopYield(5, () => now)
  const order: string[] = []
  const note = (what: string) => () => void order.push(what)
  const others = waitForNextTurn().then(note('others'))
  now = 4
  await yieldToEventLoop().then(note('in time'))
  now = 5
  const late = [yieldToEventLoop().then(note('late')), yieldToEventLoop().then(note('late, too'))]
  await Promise.all([others, ...late])
  now = 9
  const next = waitForNextTurn().then(note('next turn'))
  await yieldToEventLoop().then(note('in time again'))
  await next
  assert.equal(order, ['in time', 'others', 'late', 'late, too', 'in time again', 'next turn'])
})

test('calls that yield in the same event loop turn continue together before the next turn', async () => {
  const turnEnd = createSingleFlight(waitForNextTurn)
  const order: string[] = []
  const note = (what: string) => () => void order.push(what)
  const first = [turnEnd().then(note('a')), turnEnd().then(note('b'))]
  order.push('still the same turn')
  await Promise.all(first)
  const second = turnEnd().then(note('c'))
  await Promise.all([waitForNextTurn().then(note('next turn')), second])
  assert.equal(order, ['still the same turn', 'a', 'b', 'c', 'next turn'])
})

test('runs deferred work at the end of a turn, or when the process exits in this turn', async () => {
  let done = 0
  runAtTurnEnd(() => {
    done += 1
  })
  assert.is(done, 0)
  await waitForNextTurn()
  assert.is(done, 1)
  const before = process.listenerCount('exit')
  runAtTurnEnd(() => {
    done += 1
  })
  const [onExit] = process.listeners('exit').slice(-1)
  onExit?.(0)
  assert.is(done, 2)
  assert.is(process.listenerCount('exit'), before)
  await waitForNextTurn()
})

test.run()
