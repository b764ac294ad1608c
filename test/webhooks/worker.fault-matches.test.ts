import { assert, suite } from '../support/suite.ts'
import {
  allOf,
  closeFaultyEndpoint,
  type FaultyEndpoint,
  openFaultyEndpoint,
  openWorker,
} from './faulty-endpoint.ts'
import { deliverDue } from './outbox.ts'

const test = suite<FaultyEndpoint>('webhooks/worker and the matches of faults')

test.before.each(openFaultyEndpoint)
test.after.each(closeFaultyEndpoint)

test('matches the event type, the customer and the endpoint of a delivery', async (context) => {
  const { outbox } = context
  const [event] = await outbox.emit()
  const customer = event?.data.object.id ?? ''
  const match = { event_type: 'customer.created', customer, webhook_endpoint: context.endpoint }
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

test('counts an attempt once even if it was not sent or not stored at first', async (context) => {
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

test.run()
