import {
  canceledSubscriptionsAreFinal,
  hardDeclinesEndRetries,
  onlyLiveSubscriptionsAreBilled,
  overdueSubscriptionsOweMoney,
  relatedObjectsShareClock,
  retriesAreBounded,
} from './invariants/collection.ts'
import {
  completionEventIsLast,
  createdIsFirstDeletedIsLast,
  eventsChain,
  idsAreUnique,
  sequenceHasNoGaps,
  transitionsAreValid,
} from './invariants/history.ts'
import {
  amountsAreIntegers,
  invoicesArePaidInFull,
  linesAddUp,
  numbersAreGapless,
  paidInvoicesHaveOnePayment,
  refundsAddUp,
  relatedObjectsShareCurrency,
  sessionTotalMatchesInvoice,
  statusMatchesAmounts,
  totalsAddUp,
} from './invariants/money.ts'
import {
  eachPeriodHasOneInvoice,
  periodMatchesItsIndex,
  periodsFollowTheCalendar,
} from './invariants/periods.ts'
import { secretsAreNotStored } from './invariants/secrets.ts'
import {
  chargesDoNotOverlap,
  completeCheckoutHasOneSubscription,
  completeSessionHasOnePayment,
  deletedObjectsHaveNoLiveDependents,
  sessionsCloseByExpiry,
  sessionsCloseOnce,
  sessionUrlsAreStable,
} from './invariants/sessions.ts'
import type { Invariant, Snapshot } from './invariants/snapshot.ts'

export type { Snapshot }

/** The conditions that all stored data must meet, by their number. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  P1: amountsAreIntegers,
  P2: linesAddUp,
  P3: totalsAddUp,
  P5: invoicesArePaidInFull,
  P6: statusMatchesAmounts,
  P7: paidInvoicesHaveOnePayment,
  P8: refundsAddUp,
  P9: relatedObjectsShareCurrency,
  P10: sessionTotalMatchesInvoice,
  P11: sessionsCloseOnce,
  P12: sessionsCloseByExpiry,
  P13: completeSessionHasOnePayment,
  P14: completeCheckoutHasOneSubscription,
  P15: chargesDoNotOverlap,
  P16: sessionUrlsAreStable,
  P17: periodMatchesItsIndex,
  P18: eachPeriodHasOneInvoice,
  P19: periodsFollowTheCalendar,
  P20: onlyLiveSubscriptionsAreBilled,
  P21: overdueSubscriptionsOweMoney,
  P22: retriesAreBounded,
  P23: canceledSubscriptionsAreFinal,
  P24: hardDeclinesEndRetries,
  P25: eventsChain,
  P26: createdIsFirstDeletedIsLast,
  P27: sequenceHasNoGaps,
  P28: transitionsAreValid,
  P29: completionEventIsLast,
  P34: relatedObjectsShareClock,
  P40: secretsAreNotStored,
  P41: deletedObjectsHaveNoLiveDependents,
  P42: numbersAreGapless,
  P43: idsAreUnique,
}

/** Checks a snapshot against every invariant. Each returned problem starts with the number of the invariant, as in `P7: `. */
export function checkInvariants(snapshot: Snapshot): string[] {
  return Object.entries(INVARIANTS).flatMap(([name, invariant]) =>
    [...invariant(snapshot)].map((problem) => `${name}: ${problem}`),
  )
}
