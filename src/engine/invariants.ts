import * as balances from './invariants/balances.ts'
import * as collection from './invariants/collection.ts'
import * as coupons from './invariants/coupons.ts'
import * as disputes from './invariants/disputes.ts'
import * as history from './invariants/history.ts'
import * as invoiceItems from './invariants/invoice-items.ts'
import * as money from './invariants/money.ts'
import * as pauses from './invariants/pauses.ts'
import * as payments from './invariants/payments.ts'
import * as periods from './invariants/periods.ts'
import * as secrets from './invariants/secrets.ts'
import * as sessions from './invariants/sessions.ts'
import type { Invariant, Snapshot } from './invariants/snapshot.ts'
import * as trials from './invariants/trials.ts'

export type { Snapshot }

/** The conditions that all stored data must meet, by their number. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  P1: money.amountsAreIntegers,
  P2: money.linesAddUp,
  P3: money.totalsAddUp,
  P5: money.invoicesArePaidInFull,
  P6: money.invoiceStatusMatchesAmounts,
  P7: money.paidInvoicesHaveOnePayment,
  P8: money.refundsAddUp,
  P9: money.relatedObjectsShareCurrency,
  P10: money.sessionTotalMatchesInvoice,
  P11: sessions.sessionsCloseOnce,
  P12: sessions.sessionsCloseByExpiry,
  P13: sessions.paymentSessionMatchesPayment,
  P14: sessions.completeCheckoutHasOneSubscription,
  P15: sessions.chargesDoNotOverlap,
  P16: sessions.sessionUrlsAreStable,
  P17: periods.periodMatchesItsIndex,
  P18: periods.eachPeriodHasOneInvoice,
  P19: periods.periodsFollowTheCalendar,
  P20: collection.onlyLiveSubscriptionsAreBilled,
  P21: collection.overdueSubscriptionsOweMoney,
  P22: collection.retriesAreBounded,
  P23: collection.canceledSubscriptionsAreFinal,
  P24: collection.hardDeclinesEndRetries,
  P25: history.eventsAreContinuous,
  P26: history.createdIsFirstDeletedIsLast,
  P27: history.sequenceHasNoGaps,
  P28: history.transitionsAreValid,
  P29: history.completionEventIsLast,
  P34: collection.relatedObjectsShareClock,
  P40: secrets.secretsAreNotStored,
  P41: sessions.deletedObjectsHaveNoLiveDependents,
  P42: money.invoiceNumbersAreGapless,
  P43: history.idsAreUnique,
  P44: pauses.pausesApplyToNewInvoices,
  P45: payments.paymentsHaveAnOrigin,
  P46: payments.abandonedPaymentsAreCanceled,
  P47: invoiceItems.invoiceItemsAreBilledOnce,
  P48: trials.trialEndsAreAnnounced,
  P49: balances.balancesAddUp,
  P50: invoiceItems.endedSubscriptionsHaveNoPendingItems,
  P51: disputes.disputesAddUp,
  P52: disputes.disputesCloseInTime,
  P53: payments.paymentsAreCapturedOrReleased,
  P54: coupons.discountsAddUp,
  P55: coupons.redemptionsAreCounted,
  P56: payments.debitsEndInTime,
}

/** Checks a snapshot against every invariant. Each returned problem starts with the number of the invariant, as in `P7: `. */
export function checkInvariants(snapshot: Snapshot): string[] {
  return Object.entries(INVARIANTS).flatMap(([name, invariant]) =>
    [...invariant(snapshot)].map((problem) => `${name}: ${problem}`),
  )
}
