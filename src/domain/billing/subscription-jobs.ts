import type { Change, RuleContext } from '../core/changes.ts'
import { renewOrCancelAtPeriodEnd, startPendingSubscription } from './billing-cycle.ts'
import type { BillingRecords } from './billing-unit-of-work.ts'
import { endDiscount, resumeCollection } from './subscriptions.ts'
import { endDueTrial } from './trials.ts'

/** The rules of the scheduled jobs of a subscription. */
export const SUBSCRIPTION_JOBS = {
  start: startPendingSubscription,
  trialEnd: endDueTrial,
  resumeCollection: ({ subscription }) => [resumeCollection(subscription)],
  endDiscount: ({ subscription }) => [endDiscount(subscription)],
  periodEnd: renewOrCancelAtPeriodEnd,
} as const satisfies Record<string, (account: BillingRecords, context: RuleContext) => Change[]>
