import type { LogEntry } from '../../src/daemon/log.ts'
import { createSparseLog } from '../../src/daemon/sparse-log.ts'
import { assert, suite } from '../support/suite.ts'
import { shout } from '../support/wire.ts'
import { serveSandbox } from './served.ts'

const test = suite('daemon/sparse-log')

/** The messages that are written of entries at some times. */
function written(entries: readonly (readonly [message: string, at_ms: number])[]): readonly string[] {
  const messages: string[] = []
  const log = createSparseLog(({ message }: LogEntry) => messages.push(message))
  for (const [message, at_ms] of entries) log({ at_ms, level: 'info', message })
  return messages
}

const times = (count: number, message: string, at_ms: number) =>
  Array.from({ length: count }, () => [message, at_ms] as const)

test('writes 20 entries with one message in ten seconds, and tells then how many it omitted', () => {
  const messages = written([...times(50, 'crowded', 0), ['crowded', 9999], ['crowded', 10_000]])
  assert.is(messages.length, 21)
  assert.is(messages.at(-1), 'crowded (31 earlier entries omitted)')
})

test('counts each message for itself', () => {
  assert.is(written([...times(50, 'crowded', 0), ['unreadable', 0]]).at(-1), 'unreadable')
})

test('writes again after the clock was set back', () => {
  assert.is(written([...times(21, 'crowded', 1_000_000), ['crowded', 0]]).length, 21)
})

test('connections above the limit of an address do not fill the log', async () => {
  const served = await serveSandbox({ maxConnectionsPerAddress: 0 })
  for (let count = 0; count < 25; count += 1) {
    assert.is((await shout(served.apiUrl, '', { isAll: true })).status, 429)
  }
  assert.is(served.lines.filter((line) => line.includes('too many connections')).length, 20)
  await served.close()
})

test.run()
