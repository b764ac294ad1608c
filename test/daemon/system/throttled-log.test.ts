import type { LogEntry } from '../../../src/daemon/system/log.ts'
import { createThrottledLog } from '../../../src/daemon/system/throttled-log.ts'
import { sendRawText } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { serveSandbox } from '../http/serve-sandbox.ts'

const test = suite('daemon/system/throttled-log')

/** Returns the written messages of some entries. */
function written(entries: readonly (readonly [message: string, at_ms: number])[]): readonly string[] {
  const messages: string[] = []
  const log = createThrottledLog(({ message }: LogEntry) => messages.push(message))
  for (const [message, at_ms] of entries) log({ at_ms, level: 'info', message })
  return messages
}

const times = (count: number, message: string, at_ms: number) =>
  Array.from({ length: count }, () => [message, at_ms] as const)

test('writes up to 20 entries per message in ten seconds, then reports the number of omitted entries', () => {
  const messages = written([...times(50, 'crowded', 0), ['crowded', 9999], ['crowded', 10_000]])
  assert.is(messages.length, 21)
  assert.is(messages.at(-1), 'crowded (31 earlier entries omitted)')
})

test('limits the entries of each message separately', () => {
  assert.is(written([...times(50, 'crowded', 0), ['malformed', 0]]).at(-1), 'malformed')
})

test('writes entries after the clock is set back', () => {
  assert.is(written([...times(21, 'crowded', 1_000_000), ['crowded', 0]]).length, 21)
})

test('rejected connections above the limit of an address do not fill the log', async () => {
  const served = await serveSandbox({ maxConnectionsPerAddress: 0 })
  for (let count = 0; count < 25; count += 1) {
    assert.is((await sendRawText(served.apiUrl, '', { isAll: true })).status, 429)
  }
  assert.is(served.lines.filter((line) => line.includes('too many connections')).length, 20)
  await served.close()
})

test.run()
