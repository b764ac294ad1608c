import { checkAgainstSchema, combineErrors } from '../../api/schema/validate.ts'
import { parseJson } from '../../domain/core/json-object.ts'
import * as p from '../../domain/core/params.ts'
import { type ObjectSchema, type Properties, pickProperties, type Schema } from '../../domain/core/schema.ts'
import { FAULT_TYPES_BY_KIND, faultParams, MAX_FAULTS } from '../../domain/faults/faults.ts'
import { createJsonError } from '../errors/json-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { Finding, FindingToReplay } from './exploration.ts'
import { APP_KILL_PHASES, type ScheduledFault } from './model/schedule.ts'

/** The version of the format of schedule files. */
const VERSION = 1

const TEXT: Schema<string> = { type: 'string', minLength: 1 }
const KIND: Schema<string> = { type: 'string', enum: ['request', 'delivery', 'payment'] }
const OPTIONS = p.shape(
  {},
  {
    ...pickProperties(faultParams, ['delay_ms', 'http_status', 'retry_after', 'copies', 'order']),
    moment: { enum: APP_KILL_PHASES },
  },
)
/** The schemas of the faults at each kind of point. */
const FAULTS: ReadonlyMap<unknown, ObjectSchema<unknown>> = new Map([
  ['request', faultSchema([...FAULT_TYPES_BY_KIND.request, 'restart'], { operation: TEXT })],
  ['delivery', faultSchema([...FAULT_TYPES_BY_KIND.delivery, 'restart'], { event_type: TEXT })],
  ['payment', faultSchema(FAULT_TYPES_BY_KIND.payment, {})],
])
const UNKNOWN_POINT = p.shape({ at: p.shape({ kind: KIND }) })
const FILE = p.shape(
  {
    version: { enum: [VERSION] },
    schedule: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: MAX_FAULTS },
  },
  { scenario: TEXT, differences: { type: 'array', items: { type: 'string' } } },
)

function faultSchema(faults: readonly string[], name: Properties): ObjectSchema<unknown> {
  const at = p.shape({ kind: KIND, ...name, occurrence: p.integer({ min: 1, max: 1_000_000 }, '') })
  return p.shape({ fault: { enum: faults }, at, options: OPTIONS })
}

/** Renders a finding as a file for `--replay`. `scenario` is the scenario of the exploration. */
export function renderReplayFile({ schedule, differences }: Finding, scenario: string): string {
  const file = { version: VERSION, scenario, schedule, differences: differences.map(({ text }) => text) }
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * Returns the finding in a schedule file with the contents `text`. Throws a UsageError that names the invalid field.
 */
export function parseReplayFile(text: string, path: string): FindingToReplay {
  const fail = (problem: string): never => {
    throw new UsageError('file_invalid', `'${path}' is not a valid schedule: ${problem}`, {
      param: 'replay',
      hint: 'Give a file that paycli explore --write wrote.',
    })
  }
  const check = (value: unknown, schema: ObjectSchema<unknown>, place = '') => {
    const { errors } = checkAgainstSchema(value, schema)
    if (errors.length > 0) fail(place + combineErrors(errors, schema).message)
  }
  const value = parseJson(text)
  if (value === undefined) throw createJsonError(`'${path}'`, text, { param: 'replay' })
  check(value, FILE)
  // The cast is safe, because the schema has validated the value.
  const file = value as {
    readonly schedule: readonly ScheduledFault[]
    readonly differences?: readonly string[]
  }
  const { differences = [] } = file
  const schedule = file.schedule.map((fault) => ({ ...fault, options: fault.options ?? {} }))
  for (const [index, fault] of schedule.entries())
    check(fault, FAULTS.get(fault.at?.kind) ?? UNKNOWN_POINT, `schedule[${index}]: `)
  return { schedule, differences }
}
