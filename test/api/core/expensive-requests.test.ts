import { api } from '../../../src/api/api.ts'
import { executeRequest } from '../../../src/api/core/execute.ts'
import type { AnyOperation } from '../../../src/api/core/operation.ts'
import type { ExpensiveWorkKind } from '../../../src/engine/admission.ts'
import type { Runtime } from '../../../src/engine/runtime.ts'
import { subscribe } from '../../support/billing.ts'
import { createClock } from '../../support/clocks.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/expensive-requests')

interface SentRequest {
  readonly id?: string
  readonly search?: string
  readonly body?: unknown
  readonly isDisconnected?: () => boolean
}

/** Creates a sandbox that records the kind of each request that waits in a queue. */
function createQueuedSandbox() {
  const sandbox = createSandbox()
  const admitted: ExpensiveWorkKind[] = []
  const runtime: Runtime = {
    ...sandbox.runtime,
    async admit({ kind, run }) {
      admitted.push(kind)
      return run()
    },
  }
  const send = (operation: AnyOperation, { id, search = '', ...request }: SentRequest = {}) =>
    executeRequest(runtime, {
      ...{ operation, id, search, body: undefined },
      requestId: 'req_1',
      isSecretKey: true,
      ...request,
    })
  return { sandbox, admitted, send }
}

async function subscribeWithClock(sandbox: Sandbox) {
  return { clock: await createClock(sandbox), subscription: await subscribe(sandbox, { interval: 'day' }) }
}

test('expensive requests wait in the queue of their kind, but cheap and invalid requests do not wait', async () => {
  const { sandbox, admitted, send } = createQueuedSandbox()
  const { clock, subscription } = await subscribeWithClock(sandbox)
  const body = { frozen_time: START + DAY }
  const sent: readonly (readonly [AnyOperation, SentRequest, ExpensiveWorkKind | null])[] = [
    [api.projections.retrieve, { search: `subscription=${subscription.id}` }, 'report'],
    [api.statistics.retrieve, {}, 'report'],
    [api.subscriptions.preview, { id: subscription.id, body: {} }, 'report'],
    [api.testClocks.advance, { id: clock.id, body }, 'clock'],
    [api.testClocks.delete, { id: clock.id }, 'clock'],
    [api.customers.list, {}, null],
    [api.sandboxes.create, { body: { from: 'default' } }, 'contents'],
    [api.sandboxes.create, { body: {} }, null],
  ]
  for (const [operation, request, kind] of sent) {
    admitted.length = 0
    await send(operation, request)
    assert.equal(admitted, kind === null ? [] : [kind], operation.path)
  }
  admitted.length = 0
  await catchDomainError(send(api.projections.retrieve, { search: 'limit=0' }))
  assert.equal(admitted, [])
})

test('stops a read whose client has disconnected, but completes a change', async () => {
  const { sandbox, send } = createQueuedSandbox()
  const { clock, subscription } = await subscribeWithClock(sandbox)
  const isDisconnected = () => true
  for (const [operation, search] of [
    [api.projections.retrieve, `subscription=${subscription.id}`],
    [api.statistics.retrieve, ''],
  ] as const) {
    assert.is((await catchDomainError(send(operation, { search, isDisconnected }))).code, 'unavailable')
  }
  const body = { frozen_time: START + DAY }
  const { status } = await send(api.testClocks.advance, { id: clock.id, body, isDisconnected })
  assert.is(status, 200)
})

test.run()
