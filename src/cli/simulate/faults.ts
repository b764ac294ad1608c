import { faults } from '../../api/operations/faults.ts'
import { checkAgainstSchema, combineErrors } from '../../api/schema/validate.ts'
import type { Client } from '../../client/client.ts'
import {
  FAULT_TYPES_BY_KIND,
  type Fault,
  type FaultParams,
  faultParams,
  getFaultKind,
  listFaultErrors,
  parseFaultOption,
} from '../../domain/faults/faults.ts'
import { createInvalidFlagError } from '../errors/usage-error.ts'
import { listObjects } from '../request/paginate.ts'

/** The delivery faults except `hold`, because a held delivery would never arrive. */
const DELIVERY_FAULTS = FAULT_TYPES_BY_KIND.delivery.filter((type) => type !== 'hold')
const KNOWN: readonly string[] = [...DELIVERY_FAULTS, ...FAULT_TYPES_BY_KIND.payment]
const HINT = `Write a type with options, such as 'duplicate; probability=5; event_type=invoice.*'. On deliveries: ${DELIVERY_FAULTS.join(', ')}. On payments: ${FAULT_TYPES_BY_KIND.payment.join(', ')}.`

/** Parses a value of `--fault`: a type and its options, such as `duplicate; probability=5`. */
export function parseFault(text: string): FaultParams {
  const [type = '', ...assignments] = text.split(';').map((part) => part.trim())
  if (!KNOWN.includes(type))
    throw createInvalidFlagError('fault', text, 'a fault on deliveries or payments', HINT)
  const options = assignments.map((assignment) => {
    const [name = '', ...value] = assignment.split('=').map((part) => part.trim())
    return [name, parseFaultOption(name, value.join('='))] as const
  })
  const { event_type, ...fields } = Object.fromEntries(options)
  const match = event_type === undefined ? {} : { match: { event_type } }
  const { valid, known, errors } = checkAgainstSchema({ type, ...fields, ...match }, faultParams)
  const all = [...errors, ...listFaultErrors(known, 0)]
  if (valid !== null && all.length === 0) return valid
  throw createInvalidFlagError('fault', text, combineErrors(all, faultParams).message, HINT)
}

export interface FaultOptions {
  /** The faults on deliveries and payments. */
  readonly faults: readonly FaultParams[]
  /** The endpoint that receives the events; null without webhooks. Faults on deliveries are limited to it. */
  readonly endpoint: string | null
  /** Whether to continue an interrupted simulation with the same options. */
  readonly isContinued: boolean
}

/** Creates the faults of a simulation, unless the interrupted simulation created them, or had ended and deleted them. */
export async function ensureSimulationFaults(
  client: Client,
  seed: string,
  { faults: params, endpoint, isContinued }: FaultOptions,
  isEnded: boolean,
): Promise<void> {
  const known = await listFaults(client, seed)
  // An existing fault has already counted matches, so it would not select the same deliveries as a new fault.
  if (!isContinued) for (const { id } of known) await client.call(faults.delete, { id })
  for (const [index, fault] of params.entries()) {
    const own = { ...fault, seed: `${seed} ${index}` }
    if (isContinued && (isEnded || known.some((one) => one.seed === own.seed))) continue
    const isOnDelivery = getFaultKind(fault.type) === 'delivery' && endpoint !== null
    const match = isOnDelivery ? { match: { ...fault.match, webhook_endpoint: endpoint } } : {}
    await client.call(faults.create, { ...own, ...match })
  }
}

/** Deletes the faults of a simulation and returns them with the numbers of their matches. */
export async function deleteSimulationFaults(client: Client, seed: string): Promise<readonly Fault[]> {
  const own = await listFaults(client, seed)
  for (const { id } of own) await client.call(faults.delete, { id })
  return own
}

/** Returns the faults of a simulation, whose seeds are derived from its seed, oldest first. */
async function listFaults(client: Client, seed: string): Promise<readonly Fault[]> {
  const { found } = await listObjects(client, faults.list, {}, Infinity)
  return found.filter((one) => one.seed?.startsWith(`${seed} `)).toReversed()
}

/** Returns a line for each fault, such as `Fault duplicate: 12 of 240 deliveries`. */
export function formatFaults(ended: readonly Fault[]): string {
  const lines = ended.map(({ type, applied, matched }) => {
    const noun = getFaultKind(type) === 'delivery' ? 'deliveries' : 'payments'
    return `Fault ${type}: ${applied.toLocaleString('en')} of ${matched.toLocaleString('en')} ${noun}\n`
  })
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}
