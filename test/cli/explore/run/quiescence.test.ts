import { createQuiescenceWatch } from '../../../../src/cli/explore/run/quiescence.ts'
import type { Client } from '../../../../src/client/client.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/run/quiescence')

interface Waiting {
  readonly id: string
  readonly attempt: number
  readonly fault: string | null
}

/**
 * Waits until the app is quiet, with the given pending deliveries, oldest first. Resolves with the ids of the sent
 * deliveries, in sending order.
 */
async function sendAll(waiting: readonly Waiting[]): Promise<string[]> {
  const sent: string[] = []
  const client = {
    async send(operation: { readonly path: string }, { id = '' }: { readonly id?: string }) {
      if (operation.path.endsWith('/send')) {
        sent.push(id)
        return {}
      }
      // The API lists the newest deliveries first.
      return { data: waiting.filter((one) => !sent.includes(one.id)).toReversed(), has_more: false }
    },
  } as unknown as Client
  const { signal } = new AbortController()
  const watch = createQuiescenceWatch({ client, recorder: { idleMs: () => 1000 }, signal, nowMs: () => 0 })
  await watch.waitUntilQuiet()
  return sent
}

test('sends held deliveries newest first, so that each delivery arrives after every later delivery', async () => {
  const held = ['whd_1', 'whd_2', 'whd_3'].map((id) => ({ id, attempt: 1, fault: 'hold' }))
  assert.equal(await sendAll(held), ['whd_3', 'whd_2', 'whd_1'])
})

test('sends retries in their order, before held deliveries', async () => {
  const waiting = [
    { id: 'whd_held', attempt: 1, fault: 'hold' },
    { id: 'whd_retry_1', attempt: 2, fault: null },
    { id: 'whd_retry_2', attempt: 2, fault: null },
  ]
  assert.equal(await sendAll(waiting), ['whd_retry_1', 'whd_retry_2', 'whd_held'])
})

test('sends a held delivery during the scenario when the app is idle, and not before', async () => {
  const sent: string[] = []
  const { promise: scenario, resolve: endScenario } = Promise.withResolvers<string>()
  const client = {
    async send(operation: { readonly path: string }, { id = '' }: { readonly id?: string }) {
      if (!operation.path.endsWith('/send')) {
        return { data: [{ id: 'whd_1', attempt: 1, fault: 'hold' }], has_more: false }
      }
      sent.push(`${id} after ${idleMs} ms`)
      endScenario('done')
      return {}
    },
  } as unknown as Client
  const { signal } = new AbortController()
  let idleMs = 0
  const recorder = { idleMs: () => (idleMs += 50) }
  const watch = createQuiescenceWatch({ client, recorder, signal, nowMs: () => 0 })
  assert.is(await watch.sendDuring(scenario, 200), 'done')
  assert.equal(sent, ['whd_1 after 250 ms'])
})

/** Waits for deliveries while the list of pending deliveries changes; returns how often the list was read. */
async function readsUntilDelivered(lists: readonly (readonly Waiting[])[], timeoutMs: number) {
  let reads = 0
  const client = {
    async send() {
      reads += 1
      return { data: lists[Math.min(reads, lists.length) - 1], has_more: false }
    },
  } as unknown as Client
  let nowMs = 0
  const { signal } = new AbortController()
  const clock = () => (nowMs += 10)
  const watch = createQuiescenceWatch({ client, recorder: { idleMs: () => 0 }, signal, nowMs: clock })
  await watch.waitUntilDelivered(timeoutMs)
  return reads
}

test('waits for due deliveries, but not for held deliveries and retries', async () => {
  const due = { id: 'whd_1', attempt: 1, fault: null }
  const postponed = [
    { id: 'whd_2', attempt: 1, fault: 'hold' },
    { id: 'whd_3', attempt: 2, fault: null },
  ]
  assert.is(await readsUntilDelivered([[due], [due, ...postponed], postponed], 500), 3)
  assert.is(await readsUntilDelivered([[]], 500), 1)
})

test('waits for deliveries no longer than the timeout', async () => {
  assert.is(await readsUntilDelivered([[{ id: 'whd_1', attempt: 1, fault: null }]], 50), 4)
})

test('sends no further retry after the eighth attempt of a delivery', async () => {
  assert.equal(await sendAll([{ id: 'whd_1', attempt: 9, fault: null }]), [])
})

test.run()
