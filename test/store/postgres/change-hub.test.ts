import fc from 'fast-check'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { waitForNextTurn } from '../fixture.ts'
import { type ChannelProcess, createNotificationChannel } from './notification-channel.ts'

const test = suite('store/change-hub')

/** Creates processes that listen at one channel and have counted each other. */
async function setUp(...names: readonly string[]) {
  const channel = createNotificationChannel()
  const processes = names.map(channel.createProcess)
  for (const { hub, count } of processes) {
    hub.listen()
    count(names.length)
  }
  await channel.settle(processes)
  return { channel, processes, hubs: processes.map(({ hub }) => hub) }
}

/** Records the notifications that a process receives. */
function hear({ hub }: ChannelProcess): (string | null)[] {
  const heard: (string | null)[] = []
  hub.watch((sandbox) => heard.push(sandbox))
  return heard
}

test('a process sends no change notifications when it is alone', async () => {
  const { channel, processes, hubs } = await setUp('a')
  assert.is(hubs[0]?.isAlone(), true)
  const before = channel.sent.length
  hubs[0]?.announce('sbx_1')
  await channel.settle(processes)
  assert.is(channel.sent.length, before)
})

test('a process that does not listen sends notifications, because it cannot detect other processes', async () => {
  const channel = createNotificationChannel()
  const { hub, count } = channel.createProcess('a')
  count(1)
  hub.announce('sbx_1', false)
  await waitForNextTurn()
  assert.is(hub.isAlone(), false)
  assert.equal(channel.sent, ['a sbx_1~'])
})

test('isAlone() returns false until the query for other processes completes', async () => {
  const channel = createNotificationChannel()
  const own = channel.createProcess('a')
  own.hub.listen()
  await channel.settle([own])
  assert.is(own.hub.isAlone(), false)
  own.count(1)
  assert.is(own.hub.isAlone(), true)
  const other = channel.createProcess('b')
  other.hub.listen()
  other.count(1)
  await waitForNextTurn()
  assert.is(other.hub.isAlone(), false)
  other.deliver()
  assert.is(other.hub.isAlone(), true)
})

test('listening processes notify each other about changes, including whether a job may be due', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  const heard: boolean[] = []
  hubs[1]?.subscribe('sbx_1', (mayBeDue) => heard.push(mayBeDue))
  for (const mayBeDue of [false, true]) {
    hubs[0]?.announce('sbx_1', mayBeDue)
    await channel.settle(processes)
  }
  assert.equal(heard, [false, true])
})

test('all changes during a notification share the next one, in which each sandbox occurs once', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  const before = channel.sent.length
  for (const [sandbox, mayBeDue] of [
    ['sbx_1', false],
    ['sbx_2', false],
    ['sbx_3', true],
    ['sbx_2', true],
    ['sbx_3', false],
    ['sbx_1', false],
  ] as const)
    hubs[0]?.announce(sandbox, mayBeDue)
  await channel.settle(processes)
  assert.equal(channel.sent.slice(before), ['a sbx_1~', 'a sbx_2 sbx_3 sbx_1~'])
})

test('a process that starts to listen is notified to treat all data as changed', async () => {
  const { channel, processes, hubs } = await setUp('a')
  const late = channel.createProcess('b')
  const heard = hear(late)
  late.hub.listen()
  await waitForNextTurn()
  // The other process has not read the query yet.
  late.deliver()
  const before = heard.length
  hubs[0]?.announce('sbx_1')
  await channel.settle([...processes, late])
  assert.is(heard.slice(before).at(-1), null)
  assert.equal([hubs[0]?.isAlone(), late.hub.isAlone()], [false, false])
})

test('a process that lost its connection is not alone until it listens again and its query arrives', async () => {
  const { channel, processes, hubs } = await setUp('a')
  processes[0]?.disconnect()
  assert.is(hubs[0]?.isAlone(), false)
  hubs[0]?.resume()
  await waitForNextTurn()
  assert.is(hubs[0]?.isAlone(), false)
  await channel.settle(processes)
  assert.is(hubs[0]?.isAlone(), true)
})

test('a process that listens again receives a reply from a process that knew its earlier connection', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  processes[0]?.disconnect()
  processes[0]?.count(1)
  hubs[0]?.resume()
  await channel.settle(processes)
  assert.is(hubs[0]?.isAlone(), false)
})

test('a process is alone again five seconds after the last notification from another process', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  await processes[1]?.hub.end()
  for (const nowMs of [4999, 5000]) {
    channel.clock.nowMs = nowMs
    processes[0]?.count(1)
    await channel.settle(processes)
    assert.is(hubs[0]?.isAlone(), nowMs === 5000)
  }
})

test('a process that finds a silent process is not alone, and treats all data as changed', async () => {
  const { channel, processes, hubs } = await setUp('a')
  const [own] = processes
  if (own === undefined) throw new Error('no process')
  const heard = hear(own)
  own.count(2)
  assert.equal([hubs[0]?.isAlone(), heard], [false, [null]])
  await channel.settle(processes)
  assert.is(channel.sent.at(-1), 'a *')
})

for (const when of ['before', 'after'])
  test(`is not alone after a count that began ${when} the notification of a process that is not registered yet`, async () => {
    const { channel, processes, hubs } = await setUp('a')
    const begunBefore = hubs[0]?.startCount()
    const late = channel.createProcess('b')
    late.hub.listen()
    await channel.settle([...processes, late])
    const finishCount = when === 'before' ? begunBefore : hubs[0]?.startCount()
    finishCount?.(1)
    await waitForNextTurn()
    // The process has received its own query, but not yet the reply.
    processes[0]?.deliver()
    assert.is(hubs[0]?.isAlone(), false)
  })

test('a process whose last count is five seconds old is not alone, and then treats all data as changed', async () => {
  const { channel, processes, hubs } = await setUp('a')
  channel.clock.nowMs = 4999
  assert.is(hubs[0]?.isAlone(), true)
  channel.clock.nowMs = 5000
  assert.is(hubs[0]?.isAlone(), false)
  const [own] = processes
  if (own === undefined) throw new Error('no process')
  const heard = hear(own)
  own.count(1)
  own.count(1)
  assert.equal([hubs[0]?.isAlone(), heard], [true, [null]])
})

/** A step of one of three processes. */
const step = fc.record({
  at: fc.nat(2),
  what: fc.constantFrom('listen', 'change', 'deliver', 'deliver', 'disconnect', 'count', 'wait'),
})

test('no order of starts, changes, deliveries and lost connections hides a change from a listening process', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
      const channel = createNotificationChannel()
      const all = ['a', 'b', 'c'].map((name) => {
        const process = channel.createProcess(name)
        const seen = { isListening: false, version: 0, others: 0 }
        return { process, seen }
      })
      let version = 0
      for (const { process, seen } of all) {
        // The other processes are not registered, so only notifications reveal them.
        process.count(1)
        process.hub.watch(() => {
          seen.version = version
        })
      }
      const act: Record<string, (process: ChannelProcess, at: number) => void> = {
        listen({ hub }, at) {
          const { seen } = all[at] ?? {}
          if (seen?.isListening) hub.resume()
          else hub.listen()
          if (seen) seen.isListening = true
        },
        change({ hub }, at) {
          version += 1
          for (const [place, { seen }] of all.entries()) if (place !== at) seen.others = version
          hub.announce('sbx_1')
        },
        deliver: ({ deliver }) => deliver(),
        disconnect: ({ disconnect }) => disconnect(),
        count: ({ count }) => count(1),
        wait: () => {
          channel.clock.nowMs += 3000
        },
      }
      for (const { at, what } of steps) {
        const { process } = all[at] ?? {}
        if (process !== undefined) act[what]?.(process, at)
        await waitForNextTurn()
      }
      // The next heartbeat reconnects.
      for (const { process } of all) process.hub.resume()
      await channel.settle(all.map(({ process }) => process))
      for (const { seen } of all) if (seen.isListening) assert.ok(seen.version >= seen.others)
    }),
    { ...propertySettings, numRuns: 3000 },
  ))

test.run()
