import {
  createOfferFingerprint,
  hasChangedOffer,
  type SessionOfferRecords,
} from '../../../src/domain/completion/session-offers.ts'
import { createAuthentication } from '../../../src/domain/payments/authentications.ts'
import { aCheckout, aCustomer, aPaymentSession, VISA } from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/completion/session-offers')

const context = createRuleContext()
const customer = aCustomer(context)

function offered(terms: object = {}, eur = 0): SessionOfferRecords {
  const balances = eur === 0 ? {} : { eur }
  return {
    session: aCheckout(context, terms),
    customer: { ...customer, balances },
    cardUpdate: null,
    redemption: null,
  }
}

/** Columns: changed part, offer before, offer after. */
const CHANGES: readonly (readonly [string, string, string])[] = [
  ['the credit', createOfferFingerprint(offered({}, -5), START), createOfferFingerprint(offered(), START)],
  ['the end of a trial', ...around({ trial_end: START + 5 }, START + 5)],
  ['the start date', ...around({ start_date: START + 5 }, START + 5)],
  ['the period', ...around({ start_date: START - 6 * DAY, interval: 'week' }, START + DAY)],
]

function around(terms: object, at: number): readonly [string, string] {
  return [createOfferFingerprint(offered(terms), at - 1), createOfferFingerprint(offered(terms), at)]
}

for (const [what, before, after] of CHANGES) {
  test(`an offer changes with ${what}`, () => assert.is.not(before, after))
}

test('the terms of an offer without a fixed time do not change', () => {
  for (const terms of [{}, { trial_days: 14 }])
    assert.is(...(around(terms, START + 3600) as [string, string]))
  const session = aPaymentSession(context)
  const once = { session, customer, cardUpdate: null, redemption: null }
  assert.is(createOfferFingerprint(once, START), createOfferFingerprint(once, START + DAY))
})

test('the offer of an authentication can change only if the authentication stores an offer', () => {
  const wait = { id: 'cks_1', payment: null, card: VISA, name: null }
  const isChanged = (offer?: string) => {
    const authentication = createAuthentication({ ...wait, ...(offer !== undefined && { offer }) }).after
    return hasChangedOffer({ ...offered(), authentication }, START)
  }
  assert.equal(
    [isChanged(), isChanged('other'), isChanged(createOfferFingerprint(offered(), START))],
    [false, true, false],
  )
  assert.is(hasChangedOffer({ ...offered(), authentication: null }, START), false)
})

test.run()
