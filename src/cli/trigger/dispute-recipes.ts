import { recipe } from './trigger-recipe.ts'
import {
  actionStep,
  advanceStep,
  CUSTOMER_STEP,
  paymentSessionStep,
  payStep,
  postStep,
  type RecipeStep,
  readStep,
  TEST_CLOCK_STEP,
} from './trigger-steps.ts'

/** The steps that dispute the payment given by `--id`, or else the payment of a payment session. */
const DISPUTE: readonly RecipeStep[] = [
  CUSTOMER_STEP,
  paymentSessionStep(),
  { ...payStep('visa'), name: 'paid' },
  readStep('session', `\${payment_session.id}`),
  readStep('payment', `\${session.payment}`),
  postStep('dispute', `test_helpers/payments/\${payment.id}/dispute`, { reason: 'fraudulent' }),
]
const SUBMIT = postStep('submitted', `\${dispute.id}`, { evidence: { text: 'winning_evidence' } })
const DISPUTED = recipe('disputes a payment', DISPUTE, ['payment_session', 'payment'])

/** The recipes of the events of disputes. */
export const DISPUTE_RECIPES = {
  'dispute.created': DISPUTED,
  'dispute.funds_withdrawn': DISPUTED,
  'dispute.updated': recipe(
    'disputes a payment and submits evidence',
    [...DISPUTE, SUBMIT],
    ['payment_session', 'payment', 'dispute'],
  ),
  'dispute.closed': recipe(
    'disputes a payment and accepts the dispute, which is then lost',
    [...DISPUTE, actionStep('dispute', 'close')],
    ['payment_session', 'payment', 'dispute'],
  ),
  'dispute.funds_reinstated': recipe(
    'disputes a payment and submits winning evidence; the dispute is won an hour later',
    [TEST_CLOCK_STEP, ...DISPUTE, SUBMIT, advanceStep('dispute', { by: { interval: 'hour', count: 2 } })],
    ['payment_session'],
  ),
}
