import {
  canceledForGood,
  clocksDoNotMix,
  hardDeclinesEndRetries,
  onlyDebtorsAreBehind,
  onlyTheLiveAreBilled,
  retriesAreBounded,
} from './invariants/collection.ts'
import {
  completionIsLast,
  eventsBeginAndEnd,
  eventsChain,
  idsAreUnique,
  movesAreKnown,
  sequenceHasNoGap,
} from './invariants/history.ts'
import {
  amountsAreWhole,
  dueIsPaidOrNot,
  linesAddUp,
  numbersAreGapless,
  oneCurrency,
  paidOnce,
  refundsAddUp,
  sessionTellsTheTotal,
  statusFitsAmounts,
  totalsAddUp,
} from './invariants/money.ts'
import {
  eachPeriodHasItsInvoice,
  periodIsTheIndexed,
  periodsFollowTheCalendar,
} from './invariants/periods.ts'
import { secretsAreNotKept } from './invariants/secrets.ts'
import {
  chargedOnce,
  closedInTime,
  closedOnce,
  completeCheckoutHasItsSubscription,
  nothingLivesOfTheDeleted,
  paidSessionHasItsPayment,
  urlStays,
} from './invariants/sessions.ts'
import type { Invariant, Snapshot } from './invariants/snapshot.ts'

export type { Snapshot }

/** What must hold of everything stored, whatever happened before, by its number in the design. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  P1: amountsAreWhole,
  P2: linesAddUp,
  P3: totalsAddUp,
  P5: dueIsPaidOrNot,
  P6: statusFitsAmounts,
  P7: paidOnce,
  P8: refundsAddUp,
  P9: oneCurrency,
  P10: sessionTellsTheTotal,
  P11: closedOnce,
  P12: closedInTime,
  P13: paidSessionHasItsPayment,
  P14: completeCheckoutHasItsSubscription,
  P15: chargedOnce,
  P16: urlStays,
  P17: periodIsTheIndexed,
  P18: eachPeriodHasItsInvoice,
  P19: periodsFollowTheCalendar,
  P20: onlyTheLiveAreBilled,
  P21: onlyDebtorsAreBehind,
  P22: retriesAreBounded,
  P23: canceledForGood,
  P24: hardDeclinesEndRetries,
  P25: eventsChain,
  P26: eventsBeginAndEnd,
  P27: sequenceHasNoGap,
  P28: movesAreKnown,
  P29: completionIsLast,
  P34: clocksDoNotMix,
  P40: secretsAreNotKept,
  P41: nothingLivesOfTheDeleted,
  P42: numbersAreGapless,
  P43: idsAreUnique,
}

/** Checks all that is stored against every invariant; each problem begins with its number, such as `P7: `. */
export function checkInvariants(snapshot: Snapshot): string[] {
  return Object.entries(INVARIANTS).flatMap(([name, invariant]) =>
    [...invariant(snapshot)].map((problem) => `${name}: ${problem}`),
  )
}
