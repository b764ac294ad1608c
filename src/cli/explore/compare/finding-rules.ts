import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import type { DifferenceCategory, RunDifference } from './difference.ts'
import type { NormalisedValue } from './normalise.ts'

/**
 * The effect of the faults on the scenario:
 * - `undisturbed`: only deliveries had faults, so every step must succeed.
 * - `interrupted`: a request failed or the app was killed, so a step may have failed, and the app may have reported it.
 * - `declined`: the issuer declined or delayed a payment. The state of the app is compared only if its payments are
 * equal in the end.
 * - `aborted`: the scenario itself failed because of a fault on a request, a restart or a late delivery, so later steps
 * are missing.
 */
export type ScenarioCompletion = 'undisturbed' | 'interrupted' | 'declined' | 'aborted'

/** The facts about a run that determine whether a difference is a finding. */
export interface FindingConditions {
  readonly completion: ScenarioCompletion
  /** Whether the run has the same monetary objects as the run without faults, and at least one such object. */
  readonly hasSameMoney: boolean
  readonly isObservationEqual: boolean
  /** The observation of the run without faults, as JSON. */
  readonly expectedObservation: string
}

/** The meaning of a difference, which determines whether the difference is a finding. */
export type DifferenceMeaning =
  | Exclude<DifferenceCategory, 'observation' | 'money'>
  | 'money lost'
  | 'money missing'
  | 'entry missing'
  | 'entry repeated'
  | 'entry added'
  | 'value changed'

/** A difference that is a finding only under the conditions of its meaning. */
export interface PossibleFinding extends RunDifference {
  readonly meaning: DifferenceMeaning
  /** The added or missing entry of an observation; for a changed value, the expected value; else null. */
  readonly entry: NormalisedValue
}

type Condition = (run: FindingConditions, entry: NormalisedValue) => boolean

const always: Condition = () => true
const never: Condition = () => false
/**
 * The run has the expected monetary objects, so the app must show them. If an object is missing, the app may have
 * reported the error.
 */
const withSameMoney: Condition = ({ hasSameMoney }) => hasSameMoney
/** The entry contains a monetary object. Other entries, such as emails, may be repeated after a restart. */
const aboutMoney: Condition = (_run, entry) => mentionsMoney(toCanonicalJson(entry))
const aboutSameMoney: Condition = (run, entry) => withSameMoney(run, entry) && aboutMoney(run, entry)
/** The app shows the same orders although a payment is missing, such as goods without a payment. */
const withSameOrders: Condition = ({ isObservationEqual, expectedObservation }) =>
  isObservationEqual && mentionsMoney(expectedObservation)

const AFTER_FAILED_STEP = {
  undisturbed: always,
  interrupted: withSameMoney,
  declined: withSameMoney,
} as const

/**
 * The conditions under which differences are findings. If every step succeeded, every difference is a finding. After a
 * failed step, the app may be unchanged or keep records without consequences, such as an unpaid order. Even then, these
 * are findings: a payment without an order, an order without a payment, and repeated orders or payments.
 */
export const FINDING_RULES: Readonly<
  Record<DifferenceMeaning, Readonly<Record<ScenarioCompletion, Condition>>>
> = {
  crash: { undisturbed: always, interrupted: always, declined: always, aborted: always },
  forgery: { undisturbed: always, interrupted: always, declined: always, aborted: always },
  unacknowledged: { undisturbed: always, interrupted: always, declined: always, aborted: always },
  expectation: { ...AFTER_FAILED_STEP, aborted: never },
  scenario: { undisturbed: always, interrupted: never, declined: never, aborted: never },
  'money lost': { undisturbed: always, interrupted: always, declined: never, aborted: always },
  'money missing': { undisturbed: always, interrupted: withSameOrders, declined: never, aborted: never },
  'entry missing': { ...AFTER_FAILED_STEP, aborted: aboutSameMoney },
  'entry repeated': {
    ...{ undisturbed: always, interrupted: aboutMoney },
    ...{ declined: aboutSameMoney, aborted: aboutMoney },
  },
  'entry added': { undisturbed: always, interrupted: never, declined: never, aborted: never },
  'value changed': { ...AFTER_FAILED_STEP, aborted: never },
}

/** Returns whether a difference is a finding in its run. */
export function isFinding({ meaning, entry }: PossibleFinding, run: FindingConditions): boolean {
  return FINDING_RULES[meaning][run.completion](run, entry)
}

/** Returns whether JSON refers to a payment, refund, session, invoice or subscription, or has an amount. */
function mentionsMoney(json: string): boolean {
  return /<(?:py|py_sess|cks|in|sub|re)>|"[\w-]*(?:amount|total|price|cents|credits?)[\w-]*":/i.test(json)
}
