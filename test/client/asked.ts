import { customers } from '../../src/api/operations/customers.ts'
import { createClient } from '../../src/client/client.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { assert } from '../support/suite.ts'
import { withHeldTimers } from '../support/timers.ts'
import { type FakeServer, type Reaction, type Seen, startFakeServer } from './fake-server.ts'

/** A customer as a server would answer. */
export const ADA = { id: 'cus_1', object: 'customer', email: 'ada@example.com' }

/** Runs work against a server of its own and gives what it threw, or what it resolved to. */
export async function against<T>(
  react: (seen: Seen, count: number) => Reaction,
  work: (server: FakeServer) => Promise<T>,
): Promise<{ readonly outcome: T | unknown; readonly seen: readonly Seen[] }> {
  const server = await startFakeServer(react)
  try {
    return { outcome: await work(server).catch((error: unknown) => error), seen: server.seen }
  } finally {
    await server.stop()
  }
}

/** Creates a customer at a server. */
export function create({ url }: { readonly url: string }, timeoutMs?: number) {
  const client = createClient({ apiBase: url, apiKey: 'paysk_test_1', ...(timeoutMs ? { timeoutMs } : {}) })
  return client.call(customers.create, { email: 'ada@example.com', name: 'Ada ✓' })
}

const LIMIT_MS = 100

/** Creates a customer at a server that never answers, in time that is over once the server has read the request. */
export function againstTime() {
  return withHeldTimers([LIMIT_MS], ({ ring }) =>
    against(
      () => {
        ring(LIMIT_MS)
        return 'hang'
      },
      (server) => create(server, LIMIT_MS),
    ),
  )
}

/** Creates a customer at a server that says to come back in so long, in time that is over during the wait. */
export function againstTimeAmidWait(busy: Reaction, waitMs: number) {
  return withHeldTimers([LIMIT_MS, waitMs], ({ ring, isSet }) =>
    against(
      () => busy,
      async (server) => {
        const creating = create(server, LIMIT_MS)
        isSet(waitMs).then(() => ring(LIMIT_MS))
        return creating
      },
    ),
  )
}

/** Fails unless no answer came, for this reason and in these words. */
export function assertConnectionError(outcome: unknown, code: string, message: RegExp): void {
  assert.instance(outcome, ConnectionError)
  const error = outcome as ConnectionError
  assert.is(error.code, code)
  assert.match(error.message, message)
  assert.ok(error.message.endsWith(error.hint), 'the message says what to do')
}
