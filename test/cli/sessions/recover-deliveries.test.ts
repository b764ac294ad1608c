import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { type FlaggedOperation, manifestCall } from '../../../src/cli/request/call.ts'
import { recoverDeliveries } from '../../../src/cli/sessions/recover-deliveries.ts'
import { assert, suite } from '../../support/suite.ts'

const NOW = 1_795_000_000
const RESPONSE = { object: 'webhook_recovery', resent: 0, has_more: false }

const test = suite('cli/recover-deliveries')

/** Returns the parameters that `webhooks endpoints recover we_1` sends, and the number of clock requests. */
async function send(flags: Readonly<Record<string, unknown>>) {
  const sent: object[] = []
  let clockRequests = 0
  const sendRequest = async (_: unknown, params: object) => {
    sent.push(params)
    return RESPONSE
  }
  const now = async () => {
    clockRequests += 1
    return NOW
  }
  const call: FlaggedOperation = manifestCall(webhookEndpoints.recover)
  const printed: object[] = []
  await recoverDeliveries({
    operation: call,
    input: { id: 'we_1', words: [], flags },
    client: { send: sendRequest, now, call: sendRequest as never },
    print: (response) => void printed.push(response),
  })
  assert.equal(printed, [RESPONSE])
  return { sent, clockRequests }
}

test('subtracts a --since duration from the current time of the service', async () => {
  const { sent, clockRequests } = await send({ since: '10m', until: '5m', types: ['invoice.paid'] })
  assert.equal(sent, [{ id: 'we_1', since: NOW - 600, until: NOW - 300, types: ['invoice.paid'] }])
  assert.is(clockRequests, 1)
})

test('sends Unix and ISO --since timestamps as Unix seconds', async () => {
  assert.equal((await send({ since: '1794990000' })).sent, [{ id: 'we_1', since: 1_794_990_000 }])
  assert.equal((await send({ since: '2026-11-18T10:40:00Z' })).sent, [{ id: 'we_1', since: NOW - 1600 }])
})

test('throws for an invalid --since timestamp and sends no request', async () => {
  for (const flag of ['since', 'until']) {
    const error = await send({ since: '10m', [flag]: 'yesterday' }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof UsageError)
    assert.equal([error.param, error.message], [flag, `Invalid --${flag} 'yesterday': expected a timestamp.`])
  }
})

test('throws without --since and sends no request', async () => {
  const error = await send({}).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof UsageError)
  assert.is(error.param, 'since')
})

test.run()
