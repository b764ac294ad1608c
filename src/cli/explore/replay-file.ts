import { isJsonObject } from '../../domain/core/json-object.ts'
import { type Properties, pickProperties } from '../../domain/core/schema.ts'
import { FAULT_TYPES_BY_KIND, faultParams, MAX_FAULTS } from '../../domain/faults/faults.ts'
import { errorMessage } from '../errors/error-fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { Finding, ReplayedFinding } from './exploration.ts'
import { RESTART_MOMENTS, type ScheduledFault, type SchedulePoint } from './model/schedule.ts'

/** The version of the format of schedule files. */
const VERSION = 1

/** The faults at each kind of point, and the field that names the point. */
const POINTS: ReadonlyMap<string, { readonly field: string | null; readonly faults: readonly string[] }> =
  new Map([
    ['request', { field: 'operation', faults: [...FAULT_TYPES_BY_KIND.request, 'restart'] }],
    ['delivery', { field: 'event_type', faults: [...FAULT_TYPES_BY_KIND.delivery, 'restart'] }],
    ['payment', { field: null, faults: FAULT_TYPES_BY_KIND.payment }],
  ])

/** The schema of each option: an integer with a range, or a list of values. */
const OPTIONS: Properties = {
  ...pickProperties(faultParams, ['delay_ms', 'http_status', 'retry_after', 'copies', 'order']),
  moment: { enum: RESTART_MOMENTS },
}

/** Renders a finding as a file for `--replay`. `scenario` is the scenario that it was found with. */
export function renderReplayFile({ schedule, differences }: Finding, scenario: string): string {
  const file = { version: VERSION, scenario, schedule, differences: differences.map(({ text }) => text) }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Returns the finding in the text of a file. Throws a UsageError that names the wrong field. */
export function parseReplayFile(text: string, path: string): ReplayedFinding {
  const fail = (problem: string): never => {
    throw new UsageError('file_invalid', `'${path}' is not a valid schedule: ${problem}`, {
      param: 'replay',
      hint: 'Give a file that paycli explore --write wrote.',
    })
  }
  const file = parseFile(text, fail)
  if (file['version'] !== VERSION) return fail(`version must be ${VERSION}.`)
  const { schedule, differences = [] } = file
  if (!Array.isArray(schedule) || schedule.length === 0 || schedule.length > MAX_FAULTS)
    return fail(`schedule must be a list of 1 to ${MAX_FAULTS} faults.`)
  if (!Array.isArray(differences)) return fail('differences must be a list of texts.')
  const faults = schedule.map((fault: unknown, index) => {
    const problem = findProblem(fault)
    if (problem !== null) return fail(`schedule[${index}]${problem}`)
    return toScheduledFault(fault as ScheduledFault)
  })
  return { schedule: faults, differences: differences.map(String) }
}

function parseFile(text: string, fail: (problem: string) => never): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return fail(`${errorMessage(error)}.`)
  }
  return isJsonObject(value) ? value : fail('it must be a JSON object.')
}

function findProblem(fault: unknown): string | null {
  if (!isJsonObject(fault)) return ' must be an object.'
  const { at, fault: name } = fault
  const kind = isJsonObject(at) ? POINTS.get(String(at['kind'])) : undefined
  if (!isJsonObject(at) || kind === undefined)
    return `.at.kind must be one of ${[...POINTS.keys()].join(', ')}.`
  const { field, faults } = kind
  if (!faults.includes(String(name))) return `.fault must be one of ${faults.join(', ')}.`
  if (field !== null && (typeof at[field] !== 'string' || at[field] === ''))
    return `.at.${field} must be a text.`
  if (!isInteger(at['occurrence'], 1, 1_000_000)) return '.at.occurrence must be an integer from 1.'
  return findOptionProblem(fault['options'] ?? {})
}

function findOptionProblem(options: unknown): string | null {
  if (!isJsonObject(options)) return '.options must be an object.'
  for (const [name, value] of Object.entries(options)) {
    const schema = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
    if (schema === undefined)
      return `.options.${name} is no option. Options: ${Object.keys(OPTIONS).join(', ')}.`
    const { enum: values, minimum = 0, maximum = 0 } = schema
    if (values === undefined && !isInteger(value, minimum, maximum))
      return `.options.${name} must be an integer from ${minimum} to ${maximum}.`
    if (values?.includes(value) === false) return `.options.${name} must be one of ${values.join(', ')}.`
  }
  return null
}

function isInteger(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
}

// Returns the fault without unknown fields.
function toScheduledFault({ fault, at, options }: ScheduledFault): ScheduledFault {
  return { fault, at: withoutUnknownFields(at), options: { ...options } }
}

function withoutUnknownFields(at: SchedulePoint): SchedulePoint {
  const { kind, occurrence } = at
  if (kind === 'payment') return { kind, occurrence }
  return kind === 'request'
    ? { kind, operation: at.operation, occurrence }
    : { kind, event_type: at.event_type, occurrence }
}
