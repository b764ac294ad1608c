import type { DeliveryPoint, FaultSchedule, RequestPoint } from './schedule.ts'

/** A request that the app sent to the API, with the response that the app saw. */
export interface RecordedRequest {
  readonly point: RequestPoint
  readonly method: string
  readonly path: string
  /** The idempotency key of the request, or null. */
  readonly idempotencyKey: string | null
  /** The status that the app saw; null if the connection was closed without a response. */
  readonly status: number | null
  /** The fault that was applied, or null. */
  readonly fault: string | null
  /** The time of the request, in milliseconds since the start of the scenario. */
  readonly atMs: number
}

/** A webhook request that the app received, with its response. */
export interface RecordedDelivery {
  readonly point: DeliveryPoint
  /** The id of the event. */
  readonly event: string
  /** The type and status of the object of the event, for the timeline. */
  readonly summary: string
  /** The status of the response; null without a response. */
  readonly status: number | null
  readonly durationMs: number
  readonly fault: string | null
  readonly atMs: number
}

/** A kill, restart or crash of the app. */
export interface AppLifecycleEvent {
  readonly kind: 'killed' | 'restarted' | 'crashed'
  readonly atMs: number
}

/** The output of `--observe` before the scenario (`after` is null) or after a delivery. */
export interface ObservedState {
  readonly after: DeliveryPoint | null
  readonly observation: string
}

/**
 * The time at which a scenario failed:
 * - `undelivered`: before the app had received every delivery, so the scenario may not have waited for it.
 * - `soon`: soon after a fault on a request or a restart, so the app may have reported the failed request.
 * - `late`: after every delivery and long after the last fault, so the scenario waited without success.
 */
export type ScenarioFailureTiming = 'undelivered' | 'soon' | 'late'

/** The result of a run, which is compared with the results of the runs without faults. */
export interface RunOutcome {
  /** The output of `--observe`; null without the flag. */
  readonly observation: string | null
  /** The objects of the sandbox, by resource, as the API returns them. */
  readonly objects: Readonly<Record<string, readonly object[]>>
  /** The type of each event that the app never acknowledged with 2xx. A type may occur several times. */
  readonly unacknowledged: readonly string[]
  /** The event type and fault of each delivery with a wrong or old signature that the app acknowledged with 2xx. */
  readonly acceptedForgeries: readonly string[]
  /** The exit code of `--expect`; null without the flag. */
  readonly expectation: number | null
  /** The output of a failed `--expect`. */
  readonly expectationOutput: string
  /** The exit code or error of the scenario; null if it succeeded. */
  readonly scenarioError: string | null
  /** The time at which the scenario failed; null if it succeeded. */
  readonly scenarioFailure: ScenarioFailureTiming | null
  /** Whether the app ended unexpectedly or did not start again. */
  readonly hasCrashed: boolean
}

/** One run of the scenario with the faults of a schedule. */
export interface RunRecord {
  readonly schedule: FaultSchedule
  readonly requests: readonly RecordedRequest[]
  readonly deliveries: readonly RecordedDelivery[]
  readonly appChanges: readonly AppLifecycleEvent[]
  /** The states of the app during the scenario, in order; empty for a run with faults. */
  readonly states: readonly ObservedState[]
  /** The number of decisions of the issuer on charges and cards; 0 for a run with faults. */
  readonly issuerDecisions: number
  readonly outcome: RunOutcome
  /** The faults of the schedule that were applied. */
  readonly applied: FaultSchedule
  readonly durationMs: number
  /** The last lines of the output of the app. */
  readonly log: string
}

export interface RunOptions {
  /**
   * Returns whether an outcome equals the outcome of a run without faults. The run polls the outcome for a limited time
   * until the function returns true. Omit the function in a run without faults. Such a run measures the duration of
   * background work, and throws errors of the scenario, the app and `--observe`.
   */
  readonly isExpected?: (outcome: RunOutcome) => boolean
  /** Whether the app is killed and started again at the end, before it is observed (default: false). */
  readonly restartAtEnd?: boolean
  /** Whether the run watches the app only for a short time, because a longer run confirms its result (default: false). */
  readonly isBrief?: boolean
  /** Ends the run early; its promise then rejects. */
  readonly signal?: AbortSignal | undefined
}

/** Runs the scenario in fresh sandboxes, one run at a time. */
export interface ScenarioRunner {
  readonly run: (schedule: FaultSchedule, options?: RunOptions) => Promise<RunRecord>
  /** Ends the app, deletes the sandbox and stops a temporary server. */
  readonly close: () => Promise<void>
}
