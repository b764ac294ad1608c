import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { RecordedDelivery } from '../model/run-record.ts'
import type { ScheduledFault } from '../model/schedule.ts'

/** The scheduled fault of each fault rule, by the id of the rule. */
type FaultRules = ReadonlyMap<string, ScheduledFault>

const FORGERIES: ReadonlySet<unknown> = new Set(['bad_signature', 'old_timestamp'])

/**
 * Returns the types of the events without a successful attempt, and the accepted forgeries by type and fault.
 * `deliveries` are all attempts of the sandbox, oldest first.
 */
export function findDeliveryProblems(
  deliveries: readonly WebhookDelivery[],
  rules: FaultRules,
  eventTypes: ReadonlyMap<string, string>,
) {
  const acknowledged = new Set(
    deliveries.filter(({ status }) => status === 'succeeded').map(({ event }) => event),
  )
  const missing = new Set(deliveries.map(({ event }) => event).filter((event) => !acknowledged.has(event)))
  const typeOf = (event: string) => eventTypes.get(event) ?? 'unknown'
  const acceptedForgeries = deliveries.flatMap(({ status, fault, event }) => {
    const type = rules.get(fault ?? '')?.fault
    return status === 'succeeded' && FORGERIES.has(type) ? [`${typeOf(event)} ${type}`] : []
  })
  return { unacknowledged: [...missing].map(typeOf).sort(), acceptedForgeries: acceptedForgeries.sort() }
}

/**
 * Returns the recorded webhooks with the faults that the server applied, and with the attempts that a fault dropped.
 * The n-th attempt of an event is its n-th webhook, but a dropped attempt has no webhook and a duplicated attempt has
 * several.
 */
export function addDeliveryFaults(
  recorded: readonly RecordedDelivery[],
  deliveries: readonly WebhookDelivery[],
  rules: FaultRules,
): RecordedDelivery[] {
  const result = [...recorded]
  for (const { event, fault, attempt } of deliveries) {
    const type = rules.get(fault ?? '')?.fault
    if (type === undefined) continue
    const received = result.filter((one) => one.event === event)
    const at = received[Math.min(attempt, received.length) - 1]
    if (at === undefined) continue
    const index = result.indexOf(at)
    if (type === 'drop_attempt') result.splice(index, 0, { ...at, status: null, durationMs: 0, fault: type })
    else if (type !== 'duplicate') result[index] = { ...at, fault: at.fault ?? type }
    else for (const copy of received) result[result.indexOf(copy)] = { ...copy, fault: copy.fault ?? type }
  }
  return result
}
