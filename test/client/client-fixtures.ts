import { customers } from '../../src/api/operations/customers.ts'
import { createClient } from '../../src/client/client.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { assert } from '../support/suite.ts'
import { withHeldTimers } from '../support/timers.ts'
import { type FakeServer, type Reaction, type SeenRequest, startFakeServer } from './fake-server.ts'

/** A customer in a response. */
export const ADA = { id: 'cus_1', object: 'customer', email: 'ada@example.com' }

/** Runs a function against a new server and returns its result or its error. */
export async function runAgainst<T>(
  react: (seen: SeenRequest, count: number) => Reaction,
  work: (server: FakeServer) => Promise<T>,
): Promise<{ readonly outcome: T | unknown; readonly seen: readonly SeenRequest[] }> {
  const server = await startFakeServer(react)
  try {
    return { outcome: await work(server).catch((error: unknown) => error), seen: server.seen }
  } finally {
    await server.stop()
  }
}

/** Creates a customer at a server. */
export function createCustomer({ url }: { readonly url: string }, timeoutMs?: number) {
  const client = createClient({ apiBase: url, apiKey: 'paysk_test_1', ...(timeoutMs ? { timeoutMs } : {}) })
  return client.call(customers.create, { email: 'ada@example.com', name: 'Ada ✓' })
}

const TIMEOUT_MS = 100

/** Creates a customer at a server that never responds; the timeout fires when the server has read the request. */
export function createWithTimeout() {
  return withHeldTimers([TIMEOUT_MS], ({ ring }) =>
    runAgainst(
      () => {
        ring(TIMEOUT_MS)
        return 'hang'
      },
      (server) => createCustomer(server, TIMEOUT_MS),
    ),
  )
}

/** Creates a customer at a server that responds with a retry after `waitMs`; the timeout fires during that wait. */
export function createWithTimeoutDuringWait(busy: Reaction, waitMs: number) {
  return withHeldTimers([TIMEOUT_MS, waitMs], ({ ring, isSet }) =>
    runAgainst(
      () => busy,
      async (server) => {
        const creating = createCustomer(server, TIMEOUT_MS)
        isSet(waitMs).then(() => ring(TIMEOUT_MS))
        return creating
      },
    ),
  )
}

/** Asserts a `ConnectionError` with this code and message. */
export function assertConnectionError(outcome: unknown, code: string, message: RegExp): void {
  assert.instance(outcome, ConnectionError)
  const error = outcome as ConnectionError
  assert.is(error.code, code)
  assert.match(error.message, message)
  assert.ok(error.message.endsWith(error.hint), 'the message ends with the hint')
}
