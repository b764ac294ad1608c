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
    return [name, toValue(name, value.join('='))] as const
  })
  const { event_type, ...fields } = Object.fromEntries(options)
  const match = event_type === undefined ? {} : { match: { event_type } }
  const { valid, known, errors } = checkAgainstSchema({ type, ...fields, ...match }, faultParams)
  const all = [...errors, ...listFaultErrors(known, 0)]
  if (valid !== null && all.length === 0) return valid
  throw createInvalidFlagError('fault', text, combineErrors(all, faultParams).message, HINT)
}

function toValue(name: string, text: string): string | number {
  return faultParams.properties[name]?.type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** The faults of a simulation. */
export interface SimulationFaults {
  readonly params: readonly FaultParams[]
  /** The seed from which the seed of each fault is derived. */
  readonly seed: string
  /** The endpoint to which faults on deliveries are limited; null without webhooks. */
  readonly endpoint: string | null
  readonly isContinued: boolean
  /** Whether the interrupted simulation had performed all actions, so that it may have deleted its faults. */
  readonly isEnded: boolean
}

/** Creates the faults, unless the interrupted simulation created them, and returns their ids. */
export async function createFaults(
  client: Client,
  { params, seed, endpoint, isContinued, isEnded }: SimulationFaults,
): Promise<readonly string[]> {
  const ids: string[] = []
  const { found } = await listObjects(client, faults.list, {}, Infinity)
  for (const [index, fault] of params.entries()) {
    const own = { ...fault, seed: `${seed} ${index}` }
    const isOnDelivery = getFaultKind(fault.type) === 'delivery' && endpoint !== null
    const match = isOnDelivery ? { match: { ...fault.match, webhook_endpoint: endpoint } } : {}
    const known = found.find((one) => one.seed === own.seed)
    if (known !== undefined && isContinued) ids.push(known.id)
    else if (!isEnded) {
      // An existing fault has already counted matches, so it would select other deliveries than a new fault.
      if (known !== undefined) await client.call(faults.delete, { id: known.id })
      ids.push((await client.call(faults.create, { ...own, ...match })).id)
    }
  }
  return ids
}

/** Deletes the faults and returns them with the numbers of their matches. */
export async function deleteFaults(client: Client, ids: readonly string[]): Promise<readonly Fault[]> {
  const { found } = await listObjects(client, faults.list, {}, Infinity)
  for (const id of ids) await client.call(faults.delete, { id })
  return found.toReversed().filter(({ id }) => ids.includes(id))
}

/** Returns a line for each fault, such as `Fault duplicate: 12 of 240 deliveries`. */
export function formatFaults(ended: readonly Fault[]): string {
  const lines = ended.map(({ type, applied, matched }) => {
    const noun = getFaultKind(type) === 'delivery' ? 'deliveries' : 'payments'
    return `Fault ${type}: ${applied.toLocaleString('en')} of ${matched.toLocaleString('en')} ${noun}\n`
  })
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}
