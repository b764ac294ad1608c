import {
  cancelPaymentOnRequest,
  completePaymentAuthentication,
} from '../../../src/domain/payments/api-payments.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aPayment } from '../../support/domain-samples.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/api-payments')

const context = createRuleContext()

for (const status of ['processing', 'succeeded', 'failed', 'canceled'] as const) {
  test(`throws payment_unexpected_state for the cancellation or authentication of a ${status} payment`, async () => {
    const pending = { payment: aPayment(context, { status }), authentication: null }
    for (const work of [
      () => cancelPaymentOnRequest(pending, context),
      () => completePaymentAuthentication(pending, true, context),
    ]) {
      const { code, message } = await catchDomainError(work)
      assert.is(code, 'payment_unexpected_state')
      assert.match(message, `its status is ${status}, and it must be requires_action`)
    }
  })
}

test.run()
