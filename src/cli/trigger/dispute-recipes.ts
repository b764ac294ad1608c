import { createRecipe } from './trigger-recipe.ts'
import {
  CUSTOMER_STEP,
  createActionStep,
  createAdvanceStep,
  createPaymentSessionStep,
  createPayStep,
  createPostStep,
  createReadStep,
  type RecipeStep,
  TEST_CLOCK_STEP,
} from './trigger-steps.ts'

/** The steps that dispute the payment given by `--id`, or else the payment of a payment session. */
const DISPUTE: readonly RecipeStep[] = [
  CUSTOMER_STEP,
  createPaymentSessionStep(),
  { ...createPayStep('visa'), name: 'paid' },
  createReadStep('session', `\${payment_session.id}`),
  createReadStep('payment', `\${session.payment}`),
  createPostStep('dispute', `test_helpers/payments/\${payment.id}/dispute`, { reason: 'fraudulent' }),
]
const SUBMIT = createPostStep('submitted', `\${dispute.id}`, { evidence: { text: 'winning_evidence' } })
const DISPUTED = createRecipe('disputes a payment', DISPUTE, ['payment_session', 'payment'])

/** The recipes of the events of disputes. */
export const DISPUTE_RECIPES = {
  'dispute.created': DISPUTED,
  'dispute.funds_withdrawn': DISPUTED,
  'dispute.updated': createRecipe(
    'disputes a payment and submits evidence',
    [...DISPUTE, SUBMIT],
    ['payment_session', 'payment', 'dispute'],
  ),
  'dispute.closed': createRecipe(
    'disputes a payment and accepts the dispute, which is then lost',
    [...DISPUTE, createActionStep('dispute', 'close')],
    ['payment_session', 'payment', 'dispute'],
  ),
  'dispute.funds_reinstated': createRecipe(
    'disputes a payment and submits winning evidence; the dispute is won an hour later',
    [
      TEST_CLOCK_STEP,
      ...DISPUTE,
      SUBMIT,
      createAdvanceStep('dispute', { by: { interval: 'hour', count: 2 } }),
    ],
    ['payment_session'],
  ),
}
