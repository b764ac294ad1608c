import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { any } from './pick-records.ts'
import { act, type Performers, pick, type ValueOf, weighted } from './random-acts.ts'

const OPEN = ['needs_response', 'warning_needs_response']

/** Generates an operation on disputes. A share of 1 disputes the remaining amount. */
export const disputeActs = weighted(
  [3, act('dispute', { pick, share: fc.integer({ min: 1, max: 4 }), isInquiry: fc.boolean() })],
  [
    2,
    act('answer dispute', {
      pick,
      text: fc.constantFrom('winning_evidence', 'losing_evidence', 'Receipt'),
      submits: fc.boolean(),
    }),
  ],
  [1, act('close dispute', { pick })],
)

/** Disputes a payment, or answers or closes a dispute, preferably one that needs a response. */
export const PERFORM_DISPUTE: Performers<ValueOf<typeof disputeActs>> = {
  dispute: async (sandbox, { pick, share, isInquiry }) => {
    const payment = await any(sandbox, 'payments', { pick, states: ['succeeded'] })
    const part = share === 1 ? {} : { amount: Math.ceil((payment?.amount ?? 1) / share) }
    const params = { id: payment?.id ?? 'nobody', reason: 'unrecognized', inquiry: isInquiry } as const
    return sandbox.call(api.payments.dispute, { ...params, ...part })
  },
  'answer dispute': async (sandbox, { pick, text, submits }) => {
    const id = (await any(sandbox, 'disputes', { pick, states: OPEN }))?.id ?? 'nobody'
    return sandbox.call(api.disputes.update, { id, evidence: { text }, submit: submits })
  },
  'close dispute': async (sandbox, { pick }) => {
    const id = (await any(sandbox, 'disputes', { pick, states: OPEN }))?.id ?? 'nobody'
    return sandbox.call(api.disputes.close, { id })
  },
}
