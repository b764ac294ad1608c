import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../domain/events/webhook-endpoints.ts'
import type { Fault } from '../domain/faults/faults.ts'
import { type FinishedAttempt, type RecordAttemptResult, recordAttempt } from '../engine/delivery-results.ts'
import { deferAttempt, isDeferringFault } from '../engine/fault-deferrals.ts'
import type { Store } from '../store/port/store.ts'
import { createFaultSelections, type DeliveryFaultSelector } from './attempt-faults.ts'
import { createAttemptsInFlight } from './attempts-in-flight.ts'
import {
  type DueDelivery,
  type LoadSandboxName,
  loadDueDelivery,
  type MakeAttemptOptions,
  makeDeliveryAttempt,
} from './delivery-attempts.ts'
import { NotAttemptedError } from './not-attempted-error.ts'
import type { PendingAttemptWrites } from './pending-attempt-writes.ts'

export interface AttemptRunnerOptions extends MakeAttemptOptions {
  readonly store: Store
  readonly faults: DeliveryFaultSelector
  /** Resolves with the sandbox name in the headers of deliveries (default: no header). */
  readonly loadSandboxName?: LoadSandboxName | undefined
  readonly isNeverDisabled: (endpoint: WebhookEndpoint) => boolean
  /** Called with each attempt once it is recorded. */
  readonly onAttempt: (delivery: WebhookDelivery) => void
  /** Called with each delivery and the fault that was chosen for its attempt, or null, before the attempt. */
  readonly onFaultSelected: (delivery: string, fault: Fault | null) => void
  /** Called after a fault has deferred a delivery. */
  readonly onDeferred: () => void
  /** Called with each endpoint that an attempt disabled. */
  readonly onDisabled: (endpoint: WebhookEndpoint) => void
  /** Called with unexpected errors and errors of the store, not with failures of endpoints. */
  readonly onError: (error: unknown) => void
}

/** The next step of an endpoint's loop after an attempt: the next delivery, a reload of the due deliveries, or the end. */
export type EndpointLoopStep = 'continue' | 'reload' | 'stop'

/**
 * Creates an object that makes the attempts of a worker. `track` counts a detached attempt as running, and reports its
 * error.
 */
export function createAttemptRunner(
  options: AttemptRunnerOptions,
  isStopped: () => boolean,
  track: (work: Promise<void>) => void,
) {
  const { store, faults, onStored } = options
  const chosenFaults = createFaultSelections(faults, options.onFaultSelected)
  const records = createAttemptRecords(options, (delivery) => {
    chosenFaults.delete(delivery)
    onStored(delivery)
  })
  const attempts = createAttempts(options, records, isStopped)
  const inFlight = createAttemptsInFlight(track)
  /**
   * The delivery of each endpoint that a `swap` last deferred in this process. A delivery that another process deferred
   * waits until its deadline, because a search of the pending deliveries would slow down each attempt.
   */
  const swaps = new Map<string, string>()

  async function deliver(
    delivery: WebhookDelivery,
    loaded: DueDelivery,
    recorder: PendingAttemptWrites,
  ): Promise<EndpointLoopStep> {
    const isRepeatedWrite = records.findUnrecorded(delivery.id) !== undefined
    const attempted = await attempts.make(delivery, loaded, null)
    if (typeof attempted === 'string') return attempted
    // A success is written in the background: a crash may repeat the delivery of its event but never lose the event. A
    // failure may disable the endpoint, and a repeated write means that the store has failed, so await these writes.
    const written = records.record(attempted)
    if (attempted.outcome.error === null && !isRepeatedWrite) recorder.add(written)
    else await written
    return 'continue'
  }

  /** Makes an attempt with its fault, if any. Waits until the attempt is recorded, unless the attempt is detached. */
  async function deliverWithFaults(
    delivery: WebhookDelivery,
    loaded: DueDelivery,
    recorder: PendingAttemptWrites,
  ): Promise<EndpointLoopStep> {
    const fault = records.findUnrecorded(delivery.id) ? null : await chosenFaults.select(delivery, loaded)
    if (fault !== null && isDeferringFault(fault)) {
      // Earlier attempts must be recorded first, because the next recorded attempt ends a swap.
      await recorder.flush()
      const swapped = swaps.get(delivery.webhook_endpoint)
      if (await deferAttempt(store, delivery, fault, { nowMs: options.wallNowMs(), swapped })) {
        if (fault.type === 'swap') swaps.set(delivery.webhook_endpoint, delivery.id)
        chosenFaults.delete(delivery.id)
        options.onDeferred()
        return 'continue'
      }
    }
    return inFlight.run(delivery, fault?.type === 'overlap', async (isDetached) => {
      const attempted = await attempts.make(delivery, loaded, fault)
      if (typeof attempted === 'string') return attempted
      const swapped = isDetached() ? undefined : swaps.get(delivery.webhook_endpoint)
      const recorded = await records.record(attempted, swapped)
      return recorded?.hasReleased ? 'reload' : 'continue'
    })
  }

  return {
    canAttempt: ({ id }: WebhookDelivery) =>
      !attempts.isBroken(id) && !records.isRecording(id) && !inFlight.has(id),
    faultOf: chosenFaults.get,
    detach: inFlight.detach,
    hasDetached: inFlight.hasDetached,
    /** Makes and records one attempt; resolves with the next step of the endpoint's loop. */
    async deliver(due: WebhookDelivery, recorder: PendingAttemptWrites): Promise<EndpointLoopStep> {
      const loaded = await loadDueDelivery(store, due, options.loadSandboxName)
      if (loaded.endpoint?.status !== 'enabled') return 'stop'
      if (loaded.delivery?.status !== 'pending') {
        // Drop an unrecorded result, because another process may have settled or deleted the delivery.
        records.deleteUnrecorded(due.id)
        return 'continue'
      }
      const deliverOne = faults.has('delivery') ? deliverWithFaults : deliver
      return deliverOne(loaded.delivery, loaded, recorder)
    },
  }
}

function createAttempts(
  options: AttemptRunnerOptions,
  records: ReturnType<typeof createAttemptRecords>,
  isStopped: () => boolean,
) {
  const broken = new Set<string>()
  return {
    /**
     * Makes an attempt, or returns an earlier attempt that could not be recorded. Resolves with the next step of the
     * endpoint's loop when there is nothing to record.
     */
    async make(
      { id }: WebhookDelivery,
      loaded: DueDelivery,
      fault: Fault | null,
    ): Promise<FinishedAttempt | EndpointLoopStep> {
      try {
        return records.findUnrecorded(id) ?? (await makeDeliveryAttempt(loaded, fault, options))
      } catch (error) {
        // An attempt that the closing sender aborted stays pending until the next start.
        if (isStopped()) return 'continue'
        if (error instanceof NotAttemptedError) {
          if (!error.isSettled) return 'stop'
          records.deleteUnrecorded(id)
          return 'continue'
        }
        broken.add(id)
        options.onError(error)
        return 'continue'
      }
    },
    /** Returns whether the attempt of a delivery failed with an unexpected error. Later rounds skip this delivery. */
    isBroken: (delivery: string) => broken.has(delivery),
  }
}

/** Creates an object that writes attempts to the store, and holds the attempts that could not be written. */
function createAttemptRecords(
  { store, wallNowMs, isNeverDisabled, onAttempt, onDisabled }: AttemptRunnerOptions,
  onStored: (delivery: string) => void,
) {
  const unrecorded = new Map<string, FinishedAttempt>()
  const recording = new Set<string>()

  function deleteUnrecorded(delivery: string): void {
    unrecorded.delete(delivery)
    onStored(delivery)
  }

  return {
    /** Records an attempt; resolves with null when its delivery is no longer pending. `swapped`: see `recordAttempt`. */
    async record(attempt: FinishedAttempt, swapped?: string): Promise<RecordAttemptResult | null> {
      unrecorded.set(attempt.delivery, attempt)
      recording.add(attempt.delivery)
      const options = { wallNow: Math.floor(wallNowMs() / 1000), isNeverDisabled, swapped }
      const recorded = await recordAttempt(store, attempt, options).finally(() =>
        recording.delete(attempt.delivery),
      )
      deleteUnrecorded(attempt.delivery)
      if (recorded === null) return null
      onAttempt(recorded.delivery)
      if (recorded.disabled) onDisabled(recorded.disabled)
      return recorded
    },
    isRecording: (delivery: string) => recording.has(delivery),
    /** Returns an attempt whose result could not be stored. The result is stored again; the request is never sent again. */
    findUnrecorded: (delivery: string) => unrecorded.get(delivery),
    deleteUnrecorded,
  }
}
