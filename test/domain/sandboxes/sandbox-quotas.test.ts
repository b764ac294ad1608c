import {
  createServerFullError,
  MEGABYTE,
  requireQuotaLeft,
  type SandboxQuotas,
} from '../../../src/domain/sandboxes/sandbox-quotas.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sandboxes/sandbox-quotas')

/** The quotas, each with a limit and the expected parts of the message. */
const MESSAGES: Readonly<
  Record<Exclude<keyof SandboxQuotas, 'streams'>, readonly [limit: number, said: string, flag: string]>
> = {
  objects: [
    2000,
    'it has 2,000 objects, events and other records, and the limit is 2,000',
    '--max-sandbox-objects',
  ],
  bytes: [3 * MEGABYTE, 'it has 3 megabytes, and the limit is 3', '--max-sandbox-mb'],
  keys: [4, 'it has 4 active API keys, and the limit is 4', '--max-sandbox-keys'],
  endpoints: [5, 'it has 5 webhook endpoints, and the limit is 5', '--max-sandbox-endpoints'],
}

for (const [quota, [limit, said, flag]] of Object.entries(MESSAGES))
  test(`a sandbox is full when the number of ${quota} reaches its quota, and not before`, async () => {
    const name = quota as keyof typeof MESSAGES
    requireQuotaLeft(name, limit - 1, limit)
    const { code, message } = await catchDomainError(async () => requireQuotaLeft(name, limit, limit))
    assert.is(code, 'sandbox_quota_exceeded')
    assert.match(message, said)
    assert.match(message, flag)
  })

test('the error of a full server names the reason and the operations that still work', () => {
  const { code, message, details } = createServerFullError('it is')
  assert.equal([code, details.retryAfterSeconds], ['server_full', 5])
  assert.match(message, 'The server is full: it is. Reading, deleting and resetting still work.')
})

test.run()
