import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { withUnixTimeFlags } from '../../../src/cli/sessions/time-window-flags.ts'
import { assert, suite } from '../../support/suite.ts'

const NOW = 1_795_000_000

const test = suite('cli/past-flags')

/** Returns the parsed flags, and the number of clock requests. */
async function parse(flags: Readonly<Record<string, unknown>>) {
  let clockRequests = 0
  const now = async () => {
    clockRequests += 1
    return NOW
  }
  return { flags: await withUnixTimeFlags(flags, { now }), clockRequests }
}

test('subtracts a --since duration from the current time of the server', async () => {
  const { flags, clockRequests } = await parse({ since: '10m', until: '5m', types: ['invoice.paid'] })
  assert.equal(flags, { since: `${NOW - 600}`, until: `${NOW - 300}`, types: ['invoice.paid'] })
  assert.is(clockRequests, 1)
})

test('converts Unix and ISO --since timestamps to Unix seconds', async () => {
  assert.equal((await parse({ since: '1794990000' })).flags, { since: '1794990000' })
  assert.equal((await parse({ since: '2026-11-18T10:40:00Z' })).flags, { since: `${NOW - 1600}` })
})

test('throws for an invalid timestamp', async () => {
  for (const flag of ['since', 'until']) {
    const error = await parse({ since: '10m', [flag]: 'yesterday' }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof UsageError)
    assert.equal([error.param, error.message], [flag, `Invalid --${flag} 'yesterday': expected a timestamp.`])
  }
})

test('does not request the time of the server without --since and --until', async () => {
  assert.equal(await parse({}), { flags: {}, clockRequests: 0 })
})

test.run()
