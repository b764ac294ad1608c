import { createEventLoopScheduler } from '../../../src/daemon/http/event-loop-scheduler.ts'
import { waitForNextTurn } from '../../../src/daemon/system/task-scheduling.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/http/event-loop-shares')

/** Creates event loop shares for requests whose work never ends. The test ends each turn. */
function setUp() {
  const started: string[] = []
  const turns: (() => void)[] = []
  const takeTurn = createEventLoopScheduler(() => new Promise((resolve) => turns.push(resolve)))
  const send = (name: string) => {
    const [sandbox = ''] = name
    return takeTurn(sandbox, name.endsWith('long'), () => {
      started.push(name)
      return new Promise<void>(() => {})
    })
  }
  return {
    send,
    async takeStarted() {
      await waitForNextTurn()
      return started.splice(0).join(' ')
    },
    endTurn() {
      for (const end of turns.splice(0)) end()
    },
  }
}

test('starts all requests immediately while only one sandbox has requests', async () => {
  const { send, takeStarted } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) send(name)
  assert.is(await takeStarted(), 'a1 a2 a3 a4 a5')
})

test('starts two requests of each sandbox per turn, in order, while several sandboxes have requests', async () => {
  const { send, takeStarted, endTurn } = setUp()
  for (const name of ['b1', 'a1', 'a2', 'a3', 'a4', 'a5', 'b2', 'b3']) send(name)
  assert.is(await takeStarted(), 'b1 a1 a2 b2')
  send('c1')
  assert.is(await takeStarted(), 'c1')
  endTurn()
  assert.is(await takeStarted(), 'a3 a4 b3')
  endTurn()
  assert.is(await takeStarted(), 'a5')
})

test('starts a potentially long request only as the single request of its sandbox in a turn', async () => {
  const { send, takeStarted, endTurn } = setUp()
  for (const name of ['b1', 'a1', 'a2-long', 'a3', 'c1-long', 'c2']) send(name)
  assert.is(await takeStarted(), 'b1 a1 a3 c1-long')
  endTurn()
  assert.is(await takeStarted(), 'a2-long c2')
})

test('a failed request frees its slot', async () => {
  const takeTurn = createEventLoopScheduler(async () => assert.unreachable('nobody waits'))
  const failing = takeTurn('b', false, async () => {
    throw new Error('failed')
  })
  await failing.catch(() => {})
  const started: number[] = []
  await Promise.all([1, 2, 3].map((one) => takeTurn('a', false, async () => void started.push(one))))
  assert.equal(started, [1, 2, 3])
})

test.run()
