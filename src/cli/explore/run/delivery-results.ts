import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { RecordedDelivery } from '../model/run-record.ts'
import type { ScheduledFault } from '../model/schedule.ts'

/** The scheduled fault of each fault rule, by the id of the rule. */
type FaultRules = ReadonlyMap<string, ScheduledFault>

const FORGERIES: ReadonlySet<unknown> = new Set(['bad_signature', 'old_timestamp'])

/**
 * Returns the types of the recorded events without a successful attempt, and the accepted forgeries by type and fault.
 * `attempts` are all attempts of the sandbox.
 */
export function findDeliveryProblems(
  recorded: readonly RecordedDelivery[],
  attempts: readonly WebhookDelivery[],
  rules: FaultRules,
) {
  const successful = attempts.filter(({ status }) => status === 'succeeded')
  const acknowledged = new Set(successful.map(({ event }) => event))
  const types = new Map(recorded.map(({ event, point }) => [event, point.event_type]))
  const acceptedForgeries = successful.flatMap(({ fault }) => {
    const rule = rules.get(fault ?? '')
    return rule?.at.kind === 'delivery' && FORGERIES.has(rule.fault)
      ? [`${rule.at.event_type} ${rule.fault}`]
      : []
  })
  return {
    unacknowledged: [...types].flatMap(([event, type]) => (acknowledged.has(event) ? [] : [type])).sort(),
    acceptedForgeries: acceptedForgeries.sort(),
  }
}

/**
 * Returns the recorded webhooks with the faults that the server applied, and with the attempts that a fault dropped.
 * The n-th attempt of an event is its n-th webhook, but a dropped attempt has no webhook and a duplicated attempt has
 * several.
 */
export function addDeliveryFaults(
  recorded: readonly RecordedDelivery[],
  attempts: readonly WebhookDelivery[],
  rules: FaultRules,
): RecordedDelivery[] {
  const result = [...recorded]
  for (const { event, fault, attempt } of attempts) {
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
