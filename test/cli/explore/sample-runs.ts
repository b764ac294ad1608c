import { createBaseline } from '../../../src/cli/explore/compare/compare-runs.ts'
import type { RunDifference } from '../../../src/cli/explore/compare/difference.ts'
import type { ExplorationResult, ExploredSchedule, Finding } from '../../../src/cli/explore/exploration.ts'
import type {
  RecordedDelivery,
  RecordedRequest,
  RunOutcome,
  RunRecord,
} from '../../../src/cli/explore/model/run-record.ts'
import type { FaultSchedule, ScheduledFault } from '../../../src/cli/explore/model/schedule.ts'
import type { ScenarioRun } from '../../../src/cli/explore/run/run-context.ts'

export const SUCCEEDED_PAYMENT = {
  object: 'payment',
  status: 'succeeded',
  amount: 2000,
  amount_captured: 2000,
  currency: 'eur',
}

/** The observation of a shop with one paid order. */
export const PAID_ORDER = { id: 1, session: 'py_sess_4bT9xQ21ab', amount: 2000, status: 'paid' }

export function outcomeWith(fields: Partial<RunOutcome> = {}): RunOutcome {
  return {
    observation: JSON.stringify({ orders: [PAID_ORDER] }),
    objects: { payments: [SUCCEEDED_PAYMENT] },
    unacknowledged: [],
    acceptedForgeries: [],
    expectation: null,
    expectationOutput: '',
    scenarioError: null,
    scenarioFailure: null,
    hasCrashed: false,
    ...fields,
  }
}

/** Returns a run with the given fields, in which every fault of the schedule was applied. */
export function recordWith(
  fields: Partial<Omit<RunRecord, 'outcome'>> & { outcome?: Partial<RunOutcome> } = {},
): RunRecord {
  const { outcome, schedule = [], ...rest } = fields
  return {
    requests: [requestWith({})],
    deliveries: [deliveryWith({})],
    appChanges: [],
    states: [],
    issuerDecisions: 0,
    applied: schedule,
    durationMs: 100,
    log: '',
    ...rest,
    schedule,
    outcome: outcomeWith(outcome),
  }
}

export function requestWith(fields: Partial<RecordedRequest> & { operation?: string }): RecordedRequest {
  const { operation = 'payment_sessions.create', ...rest } = fields
  return {
    point: { kind: 'request', operation, occurrence: 1 },
    ...{ method: 'POST', path: '/v1/payment_sessions', idempotencyKey: null },
    ...{ status: 200, fault: null, atMs: 0 },
    ...rest,
  }
}

export function deliveryWith(fields: Partial<RecordedDelivery> & { type?: string }): RecordedDelivery {
  const { type = 'payment.succeeded', ...rest } = fields
  return {
    point: { kind: 'delivery', event_type: type, occurrence: 1 },
    ...{ event: 'evt_1', summary: 'payment succeeded', status: 200, durationMs: 5, fault: null, atMs: 10 },
    ...rest,
  }
}

/** Returns a run with only the given parts, each with only the given functions. */
export function runWith(
  parts: { readonly [Name in keyof ScenarioRun]?: Partial<ScenarioRun[Name]> },
): ScenarioRun {
  return parts as ScenarioRun
}

export const DUPLICATE: ScheduledFault = {
  fault: 'duplicate',
  at: { kind: 'delivery', event_type: 'payment.succeeded', occurrence: 1 },
  options: { copies: 2, order: 'sequential' },
}
export const FORGED: ScheduledFault = { ...DUPLICATE, fault: 'bad_signature', options: {} }
export const LOST_RESPONSE: ScheduledFault = {
  fault: 'drop_response',
  at: { kind: 'request', operation: 'payment_sessions.create', occurrence: 1 },
  options: {},
}
export const KILLED: ScheduledFault = { ...LOST_RESPONSE, fault: 'restart', options: { moment: 'before' } }

/** The occurrences of a schedule that ran once and failed. */
export const ONCE = { failed: 1, runs: 1 }

/** The difference of a run with two orders instead of one. */
export const DIFFERENCE: RunDifference = {
  ...{ kind: 'observation', change: 'more', path: 'orders', expected: '1', actual: '2' },
  text: 'orders: 2 entries instead of 1',
}

/** Returns an explored schedule, by default a schedule whose run is a finding. */
export function exploredWith(fields: Partial<ExploredSchedule>): ExploredSchedule {
  return {
    schedule: [DUPLICATE],
    result: 'finding',
    occurrences: ONCE,
    applied: [],
    allowedDifferences: [],
    durationMs: 100,
    ...fields,
  }
}

/** Returns a finding, by default of a duplicate that added an order. */
export function findingWith(fields: Partial<Finding> = {}): Finding {
  const schedule = fields.schedule ?? [DUPLICATE]
  const record = recordWith({ schedule })
  const found = { schedule, isConfirmed: true, occurrences: ONCE, differences: [DIFFERENCE] }
  return { ...found, alsoAfter: [], record, ...fields }
}

/** Returns an exploration, by default an exploration without findings that is not a replay. */
export function explorationWith(fields: Partial<ExplorationResult>): ExplorationResult {
  return {
    ...{ baseline: createBaseline([recordWith()]), findings: [], unconfirmed: [], explored: [], skipped: [] },
    ...{
      notTriedAlone: [],
      notTriedWithoutEffect: [],
      lostState: [],
      failure: null,
      isReplay: false,
      durationMs: 2345,
    },
    ...fields,
  }
}

export const scheduleOf = (...faults: ScheduledFault[]): FaultSchedule => faults
