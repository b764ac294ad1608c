import {
  createExitConditionTracker,
  type ListenExitConditions,
} from '../../../src/cli/listen/listen-runner.ts'
import type { ListenOutputRecord } from '../../../src/client/listen-records.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/listen-runner')

const ready = {
  type: 'state',
  targets: [
    { webhook_endpoint: 'we_1', url: '', enabled_events: ['*'], status: 'enabled' },
    { webhook_endpoint: 'we_2', url: '', enabled_events: ['invoice.*'], status: 'enabled' },
  ],
}
const event = (id: string, type: string) => ({ type: 'event', event: { id, type } })
const delivery = (id: string, webhook_endpoint: string) => ({ type: 'delivery', event: id, webhook_endpoint })

/** Returns the record counts at which the goal was reported as reached. */
function reachedAfter(goal: Partial<ListenExitConditions>, records: readonly object[]): number[] {
  const reached: number[] = []
  let count = 0
  const watch = createExitConditionTracker({ exitAfter: null, until: null, ...goal }, () =>
    reached.push(count),
  )
  for (const record of records) {
    count += 1
    watch(record as ListenOutputRecord)
  }
  return reached
}

test('counts an event toward the goal immediately when there are no targets', () => {
  const records = [event('a', 'customer.created'), event('b', 'invoice.paid'), event('c', 'invoice.paid')]
  assert.equal(reachedAfter({ exitAfter: 2 }, records), [2])
  assert.equal(reachedAfter({ until: ['invoice.paid', 'invoice.sent'] }, records.slice(0, 2)), [2])
  assert.equal(reachedAfter({}, records), [])
})

test('counts an event toward the goal after the first delivery attempt to each subscribed target', () => {
  const records = [
    ready,
    event('a', 'invoice.paid'),
    delivery('a', 'we_1'),
    delivery('a', 'we_1'),
    delivery('a', 'we_2'),
    delivery('a', 'we_2'),
    event('b', 'customer.created'),
    delivery('b', 'we_1'),
  ]
  assert.equal(reachedAfter({ exitAfter: 1 }, records), [5])
  assert.equal(reachedAfter({ exitAfter: 2 }, records), [8])
})

test.run()
