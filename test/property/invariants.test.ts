import { EVENT_EMITTING_COLLECTIONS } from '../../src/engine/invariants/snapshot.ts'
import { INVARIANTS } from '../../src/engine/invariants.ts'
import { assert, suite } from '../support/suite.ts'
import { CORRUPTIONS, type MutableSnapshot } from './corruptions.ts'
import { BILLING_CORRUPTIONS } from './corruptions-billing.ts'
import { COUPON_CORRUPTIONS } from './corruptions-coupons.ts'
import { DEBIT_CORRUPTIONS } from './corruptions-debits.ts'
import { DISPUTE_CORRUPTIONS } from './corruptions-disputes.ts'
import { ITEM_CORRUPTIONS } from './corruptions-items.ts'
import { PAUSE_CORRUPTIONS } from './corruptions-pauses.ts'
import { PAYMENT_CORRUPTIONS } from './corruptions-payments.ts'
import { SECRET_CORRUPTIONS } from './corruptions-secrets.ts'
import { TRIAL_CORRUPTIONS } from './corruptions-trials.ts'
import { assertInvariants } from './random-runs.ts'
import { createSampleSnapshot } from './sample-snapshot.ts'

const test = suite('property/invariants')

const corruptions = [
  ...CORRUPTIONS,
  ...BILLING_CORRUPTIONS,
  ...COUPON_CORRUPTIONS,
  ...DEBIT_CORRUPTIONS,
  ...DISPUTE_CORRUPTIONS,
  ...ITEM_CORRUPTIONS,
  ...PAUSE_CORRUPTIONS,
  ...PAYMENT_CORRUPTIONS,
  ...SECRET_CORRUPTIONS,
  ...TRIAL_CORRUPTIONS,
]
const sample = createSampleSnapshot()

test('the sample snapshot violates no invariant', async () => {
  assertInvariants(await sample)
})

test('the sample snapshot has an object of each type that has events', async () => {
  const { records } = await sample
  assert.equal(
    EVENT_EMITTING_COLLECTIONS.filter((name) => records[name].length === 0),
    [],
  )
})

for (const [invariant, broken, corrupt] of corruptions) {
  test(`invariant ${invariant} reports ${broken}`, async () => {
    const draft = structuredClone(await sample) as MutableSnapshot
    corrupt(draft.records, draft)
    const found = [...(INVARIANTS[invariant]?.(draft) ?? [])]
    assert.ok(found.length > 0, `${invariant} found no violation`)
  })
}

test('does not report a large credit as a card number', async () => {
  const { records } = structuredClone(await sample) as MutableSnapshot
  const [customer] = records.customers
  const balance = -4_222_222_222_222
  const credit = { balances: { eur: balance }, starting_balance: balance, ending_balance: balance }
  const check = INVARIANTS['P40']
  assert.equal([...(check?.({ records: { customers: [{ ...customer, ...credit }] } } as never) ?? [])], [])
  const noted = { ...customer, description: String(-balance) }
  assert.is([...(check?.({ records: { customers: [noted] } } as never) ?? [])].length, 1)
})

test('every invariant is tested with a corrupt snapshot', () => {
  assert.equal(
    Object.keys(INVARIANTS).filter((name) => corruptions.every(([invariant]) => invariant !== name)),
    [],
  )
})

test.run()
