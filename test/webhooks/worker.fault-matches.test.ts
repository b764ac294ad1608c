import type { FaultFields } from '../../src/domain/faults/faults.ts'
import { assert, suite } from '../support/suite.ts'
import {
  allOf,
  closeFaultyEndpoint,
  deliverDue,
  type FaultyEndpoint,
  openFaultyEndpoint,
  openWorker,
  SECRET,
} from './faulty-endpoint.ts'
import { createResult, Outbox } from './outbox.ts'

const test = suite<FaultyEndpoint>('webhooks/worker and the matches of faults')

test.before.each(openFaultyEndpoint)
test.after.each(closeFaultyEndpoint)

const MATCHES: readonly (readonly [FaultFields['match'], boolean])[] = [
  [{}, true],
  [{ event_type: 'customer.*' }, true],
  [{ event_type: 'invoice.*' }, false],
  [{ webhook_endpoint: 'we_other' }, false],
  [{ customer: 'cus_other' }, false],
]

for (const [match = {}, isMatch] of MATCHES) {
  test(`${isMatch ? 'applies' : 'does not apply'} a fault with the match ${JSON.stringify(match)}`, async (context) => {
    const { outbox } = context
    const fault = await outbox.addFault({ type: 'duplicate', match })
    await outbox.emit()
    await deliverDue(openWorker(context))
    assert.is(context.receiver.received.length, isMatch ? 2 : 1)
    assert.is((await outbox.fault(fault)).applied, isMatch ? 1 : 0)
  })
}

test('matches the customer and the endpoint of a delivery', async (context) => {
  const { outbox } = context
  const [event] = await outbox.emit()
  const customer = event?.data.object.id ?? ''
  const match = { customer, webhook_endpoint: context.endpoint }
  const fault = await outbox.addFault({ type: 'duplicate', match })
  await outbox.emit()
  await deliverDue(openWorker(context))
  assert.is(context.receiver.received.length, 3)
  assert.equal((await outbox.fault(fault)).matched, 1)
})

test('counts each attempt once, retries included, with skip and times', async (context) => {
  const { outbox } = context
  context.status = 500
  const fault = await outbox.addFault({ type: 'bad_signature', skip: 1, times: 2 })
  await outbox.emit()
  await outbox.runOut(openWorker(context))
  assert.equal(await allOf(context, 'fault'), [null, fault.id, fault.id, ...Array(5).fill(null)])
  const { matched, applied } = await outbox.fault(fault)
  assert.equal([matched, applied], [8, 2])
})

test('does not count an attempt again that was not made or not written', async (context) => {
  const { outbox } = context
  const fault = await outbox.addFault({ type: 'duplicate', times: 1 })
  await outbox.emit()
  let calls = 0
  const { transact } = outbox.store
  const failing = {
    ...outbox.store,
    transact: (work: Parameters<typeof transact>[0]) => {
      calls += 1
      return calls === 1 ? Promise.reject(new Error('full')) : transact.call(outbox.store, work)
    },
  } as typeof outbox.store
  const worker = outbox.worker(context.sender.send, { faults: outbox.faults, store: failing })
  await deliverDue(worker)
  await deliverDue(worker)
  assert.is(context.receiver.received.length, 2, 'an unwritten attempt is not sent again')
  assert.equal(await allOf(context, 'fault'), [fault.id])
  const { matched, applied } = await outbox.fault(fault)
  assert.equal([matched, applied], [1, 1])
})

test('chooses the same deliveries with the same seed, and others with another', async (context) => {
  const chosen: boolean[][] = []
  for (const seed of ['a', 'a', 'b']) {
    const outbox = new Outbox()
    await outbox.addEndpoint(context.receiver.url, SECRET)
    await outbox.addFault({ type: 'bad_signature', probability: 50, seed })
    await outbox.emit(30)
    await deliverDue(outbox.worker(async () => createResult(), { faults: outbox.faults }))
    chosen.push((await outbox.deliveries()).map(({ fault }) => fault !== null))
  }
  assert.equal(chosen[0], chosen[1])
  assert.not.equal(chosen[0], chosen[2])
  const count = chosen[0]?.filter(Boolean).length ?? 0
  assert.ok(count > 5 && count < 25, `${count}`)
})

test.run()
