import { api } from '../../../src/api/api.ts'
import { needsResponse } from './disputes.ts'
import { EMPTY_PLAN, type Planners, pickFrom, planRequest } from './plans.ts'
import type { Payment } from './state.ts'

/** Returns the amount divided by `share`; null for share 1, which means the remaining amount. */
function shareOf({ amount }: Payment, share: number): number | null {
  return share === 1 ? null : Math.ceil(amount / share)
}

const isCharged = ({ status }: Payment) => status === 'succeeded'

/** Plans of disputes. */
export const DISPUTE_PLANS = {
  dispute: (context, { pick, share, isInquiry }) => {
    const { model, sandbox } = context
    const payment = pickFrom(model.payments, pick, isCharged)
    if (payment === null) return EMPTY_PLAN
    const amount = shareOf(payment, share)
    const params = { reason: 'general', inquiry: isInquiry, ...(amount === null ? {} : { amount }) } as const
    return planRequest(context, payment, {
      real: (id) => sandbox.call(api.payments.dispute, { id, ...params }),
      model: (found) => model.dispute(found, amount, isInquiry),
    })
  },
  'answer dispute': (context, { pick, text, submits }) => {
    const { model, sandbox } = context
    const params = { submit: submits, ...(text === null ? {} : { evidence: { text } }) }
    return planRequest(context, pickFrom(model.disputes, pick, needsResponse), {
      real: (id) => sandbox.call(api.disputes.update, { id, ...params }),
      model: (dispute) => model.answer(dispute, { text, submits }),
    })
  },
  'accept dispute': (context, { pick }) => {
    const { model, sandbox } = context
    return planRequest(context, pickFrom(model.disputes, pick, needsResponse), {
      real: (id) => sandbox.call(api.disputes.close, { id }),
      model: (dispute) => model.accept(dispute),
    })
  },
} satisfies Planners
