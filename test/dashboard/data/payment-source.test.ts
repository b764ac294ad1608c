import { paymentSource } from '../../../src/dashboard/data/payment-source.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/payment-source')

const sourceOf = (testClock: string | null, status: string) =>
  paymentSource({ query: { status }, testClock, isWanted: () => true })

test('searches the payments of a test clock again when the status changes, because the read events do not depend on it', () => {
  const [failed, succeeded] = [sourceOf('clock_1', 'failed'), sourceOf('clock_1', 'succeeded')]
  assert.equal([failed.path, failed.query], [succeeded.path, succeeded.query])
  assert.is.not(failed.search, succeeded.search)
})

test('lets the API filter payments in real time', () => {
  assert.equal(sourceOf(null, 'failed').query, { status: 'failed' })
})

test.run()
