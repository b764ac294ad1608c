import fc from 'fast-check'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { nextTurn } from '../fixture.ts'
import { type ChannelProcess, createNotificationChannel } from './notification-channel.ts'

const test = suite('store/change-hub')

/** Creates processes that listen at one channel. */
async function setUp(...names: readonly string[]) {
  const channel = createNotificationChannel()
  const processes = names.map(channel.createProcess)
  for (const { hub } of processes) hub.listen()
  await channel.settle(processes)
  return { channel, processes, hubs: processes.map(({ hub }) => hub) }
}

test('a process without others sends no notification about its changes', async () => {
  const { channel, processes, hubs } = await setUp('a')
  assert.is(hubs[0]?.isAlone(), true)
  const before = channel.sent.length
  hubs[0]?.announce('sbx_1')
  await channel.settle(processes)
  assert.is(channel.sent.length, before)
})

test('a process that does not listen sends notifications, because it cannot hear others', async () => {
  const channel = createNotificationChannel()
  const { hub } = channel.createProcess('a')
  hub.announce('sbx_1', false)
  await nextTurn()
  assert.is(hub.isAlone(), false)
  assert.equal(channel.sent, ['a sbx_1~'])
})

test('processes that listen tell each other about changes, and what may be due', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  const heard: boolean[] = []
  hubs[1]?.subscribe('sbx_1', (mayBeDue) => heard.push(mayBeDue))
  for (const mayBeDue of [false, true]) {
    hubs[0]?.announce('sbx_1', mayBeDue)
    await channel.settle(processes)
  }
  assert.equal(heard, [false, true])
})

test('a process that starts to listen later learns that everything may have changed', async () => {
  const { channel, processes, hubs } = await setUp('a')
  const late = channel.createProcess('b')
  const heard: unknown[] = []
  late.hub.watch((sandbox) => heard.push(sandbox))
  late.hub.listen()
  await nextTurn()
  // The other process has not read the question yet.
  late.deliver()
  const before = heard.length
  hubs[0]?.announce('sbx_1')
  await channel.settle([...processes, late])
  assert.ok(heard.length > before, 'the unannounced change was never told')
  assert.equal([hubs[0]?.isAlone(), late.hub.isAlone()], [false, false])
})

test('a process that lost its connection is not alone until it listens again', async () => {
  const { channel, processes, hubs } = await setUp('a')
  processes[0]?.disconnect()
  assert.is(hubs[0]?.isAlone(), false)
  hubs[0]?.resume()
  await channel.settle(processes)
  assert.is(hubs[0]?.isAlone(), true)
})

test('a process that listens again is answered by one that knew it before', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  processes[0]?.disconnect()
  hubs[0]?.resume()
  await channel.settle(processes)
  assert.is(hubs[0]?.isAlone(), false)
})

test('a process is alone again when the others have gone, and no longer when another one is registered', async () => {
  const { channel, processes, hubs } = await setUp('a', 'b')
  await processes[1]?.hub.end()
  hubs[0]?.countProcesses(1)
  await channel.settle(processes)
  assert.is(hubs[0]?.isAlone(), true)
  const heard: unknown[] = []
  hubs[0]?.watch((sandbox) => heard.push(sandbox))
  // It registered, but its question was lost.
  hubs[0]?.countProcesses(2)
  assert.equal([hubs[0]?.isAlone(), heard], [false, [null]])
})

/** What may happen to one of three processes. */
const step = fc.record({
  at: fc.nat(2),
  what: fc.constantFrom('listen', 'listen', 'change', 'deliver', 'deliver', 'deliver', 'disconnect', 'count'),
})

test('no order of starts, changes, deliveries and lost connections hides a change from a process that listens', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
      const channel = createNotificationChannel()
      const all = ['a', 'b', 'c'].map((name) => {
        const process = channel.createProcess(name)
        const seen = { isListening: false, version: 0, others: 0 }
        return { process, seen }
      })
      let version = 0
      for (const { process, seen } of all)
        process.hub.watch(() => {
          seen.version = version
        })
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
        count: ({ hub }) => hub.countProcesses(1),
      }
      for (const { at, what } of steps) {
        const { process } = all[at] ?? {}
        if (process !== undefined) act[what]?.(process, at)
        await nextTurn()
      }
      // The next heartbeat reconnects.
      for (const { process } of all) process.hub.resume()
      await channel.settle(all.map(({ process }) => process))
      for (const { seen } of all) if (seen.isListening) assert.ok(seen.version >= seen.others)
    }),
    { ...propertySettings, numRuns: 3000 },
  ))

test.run()
