import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { callOf, type FlaggedOperation } from '../../../src/cli/request/call.ts'
import { recoverMissed } from '../../../src/cli/sessions/recover-deliveries.ts'
import { assert, suite } from '../../support/suite.ts'

const NOW = 1_795_000_000
const ANSWER = { object: 'webhook_recovery', resent: 0, has_more: false }

const test = suite('cli/recovery')

/** What is sent for the flags of `webhooks endpoints recover we_1`, and how often the service is asked what time it is. */
async function sentFor(flags: Readonly<Record<string, unknown>>) {
  const sent: object[] = []
  let asked = 0
  const send = async (_: unknown, params: object) => {
    sent.push(params)
    return ANSWER
  }
  const now = async () => {
    asked += 1
    return NOW
  }
  const call: FlaggedOperation = callOf(webhookEndpoints.recover)
  const printed: object[] = []
  await recoverMissed({
    call,
    given: { id: 'we_1', words: [], flags },
    client: { send, now, call: send as never },
    print: (answer) => void printed.push(answer),
  })
  assert.equal(printed, [ANSWER])
  return { sent, asked }
}

test('so long ago is counted from the time of the service', async () => {
  const { sent, asked } = await sentFor({ since: '10m', until: '5m', types: ['invoice.paid'] })
  assert.equal(sent, [{ id: 'we_1', since: NOW - 600, until: NOW - 300, types: ['invoice.paid'] }])
  assert.is(asked, 1)
})

test('moments are sent as they are', async () => {
  assert.equal((await sentFor({ since: '1794990000' })).sent, [{ id: 'we_1', since: 1_794_990_000 }])
  assert.equal((await sentFor({ since: '2026-11-18T10:40:00Z' })).sent, [{ id: 'we_1', since: NOW - 1600 }])
})

test('what is no moment is refused and nothing is sent', async () => {
  for (const flag of ['since', 'until']) {
    const error = await sentFor({ since: '10m', [flag]: 'yesterday' }).catch((refused: unknown) => refused)
    assert.ok(error instanceof UsageError)
    assert.equal([error.param, error.message], [flag, `--${flag} takes a moment, not 'yesterday'.`])
  }
})

test('since when is asked for before the service is', async () => {
  const error = await sentFor({}).catch((refused: unknown) => refused)
  assert.ok(error instanceof UsageError)
  assert.is(error.param, 'since')
})

test.run()
