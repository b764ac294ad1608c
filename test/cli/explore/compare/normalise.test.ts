import * as fc from 'fast-check'
import { compareValues } from '../../../../src/cli/explore/compare/compare-values.ts'
import { normaliseObservation } from '../../../../src/cli/explore/compare/normalise.ts'
import { runCount } from '../../../support/property.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/normalise')

const normalise = (observation: unknown) => normaliseObservation(JSON.stringify(observation)).value

test('compares maps with ids as keys like lists, and masks serial numbers', () => {
  const first = { orders: { cus_4bT9xQ21ab: { id: 1, total: 5 }, cus_9xQ21ab4bT: { id: 2, total: 7 } } }
  const second = { orders: { cus_1111111111a: { id: 9, total: 7 }, cus_2222222222b: { id: 4, total: 5 } } }
  assert.equal(normalise(first), normalise(second))
  assert.not.equal(normalise(first), normalise({ orders: { cus_4bT9xQ21ab: { id: 1, total: 5 } } }))
})

test('compares JSON lines like a list, and other text line by line', () => {
  assert.equal(
    normaliseObservation('{"a":1}\n{"a":2}\n').value,
    normaliseObservation('{"a":2}\n{"a":1}').value,
  )
  assert.equal(normaliseObservation('b 2\na 1\n\n').value, ['a 1', 'b 2'])
})

test('ignores counters and logs of webhooks, and returns their paths', () => {
  const before = { orders: 1, webhooks_received: 3, log: ['x'], seen: ['evt_4bT9xQ21ab'] }
  const now = { orders: 1, webhooks_received: 4, log: ['x', 'y'], seen: ['evt_4bT9xQ21ab', 'evt_9xQ21ab4bT'] }
  assert.equal(normalise(before), normalise(now))
  assert.equal(normaliseObservation(JSON.stringify(now)).ignored, ['log', 'seen', 'webhooks_received'])
  const row = (status: number) => ({ event: 'evt_4bT9xQ21ab', type: 'payment.succeeded', status })
  assert.equal(normalise({ handled: [row(200)] }), normalise({ handled: [row(200), row(500)] }))
})

test('compares the state of an object, but not the name of its last event', () => {
  const row = (status: string, lastEvent: string) => ({ id: 'sub_4bT9xQ21ab', status, lastEvent, paid: true })
  const recovered = row('active', 'subscription.recovered')
  assert.not.equal(normalise([recovered]), normalise([row('past_due', 'subscription.recovered')]))
  assert.equal(normalise([recovered]), normalise([row('active', 'subscription.renewed')]))
  assert.not.equal(normalise([recovered]), normalise([recovered, recovered]))
})

test('compares entries that contain more than an event, and amounts with names such as amount_received', () => {
  const entry = { event: 'evt_4bT9xQ21ab', credits: 10 }
  assert.not.equal(normalise({ ledger: [entry] }), normalise({ ledger: [entry, entry] }))
  assert.not.equal(normalise({ amount_received: 10 }), normalise({ amount_received: 20 }))
})

test('records which entries refer to the same id', () => {
  const same = [{ customer: 'cus_4bT9xQ21ab' }, { customer: 'cus_4bT9xQ21ab' }]
  const different = [{ customer: 'cus_4bT9xQ21ab' }, { customer: 'cus_9xQ21ab4bT' }]
  const referencesOf = (value: unknown) => normaliseObservation(JSON.stringify(value)).references
  assert.equal(normalise(same), normalise(different))
  assert.not.equal(referencesOf(same), referencesOf(different))
  const renamed = [{ customer: 'cus_1111111111a' }, { customer: 'cus_1111111111a' }]
  assert.equal(referencesOf(renamed), referencesOf(same))
})

const order = fc.record({
  amount: fc.integer({ min: 1, max: 9999 }),
  status: fc.constantFrom('pending', 'paid', 'refunded'),
  plan: fc.constantFrom('basic', 'pro'),
})

/** Returns an observation whose ids and times depend on the run number, which also rotates the list of orders. */
function observe(orders: readonly object[], run: number): string {
  const rows = orders.map((one, index) => ({
    ...one,
    id: `ord_${run}${index}abcdefgh${run}`,
    customer: `0f8fad5b-d9cb-469f-a165-${String(run * 100 + index).padStart(12, '0')}`,
    paid_at: new Date(1.7e12 + run * 1e7 + index).toISOString(),
    created: 1_700_000_000 + run * 1000 + index,
  }))
  const rotated = [...rows.slice(run % (rows.length + 1)), ...rows.slice(0, run % (rows.length + 1))]
  return JSON.stringify({
    orders: rotated,
    byCustomer: Object.fromEntries(rows.map((row) => [row.customer, row])),
  })
}

test('ignores changed ids, times and orders of lists, and detects every other change', () => {
  const property = fc.property(
    fc.array(order, { maxLength: 6 }),
    fc.nat({ max: 1000 }),
    order,
    (orders, run, added) => {
      const expected = normaliseObservation(observe(orders, 0)).value
      assert.equal(compareValues(expected, normaliseObservation(observe(orders, run)).value), [])
      const changed = normaliseObservation(observe([...orders, added], run)).value
      assert.is.not(compareValues(expected, changed).length, 0)
      const [first, ...rest] = orders
      if (first === undefined) return
      const other = normaliseObservation(
        observe([{ ...first, amount: first.amount + 1 }, ...rest], run),
      ).value
      assert.is.not(compareValues(expected, other).length, 0)
    },
  )
  fc.assert(property, runCount(300))
})

test('returns the same references when a log contains an event twice', () => {
  const referencesOf = (arrivals: number) => {
    const log = Array.from({ length: arrivals }, () => ({ type: 'invoice.paid', event: 'evt_4bT9xQ21ab' }))
    const members = [{ customer: 'cus_4bT9xQ21ab', arrivals: log }]
    return normaliseObservation(JSON.stringify(members)).references
  }
  assert.equal(referencesOf(2), referencesOf(1))
})

test.run()
