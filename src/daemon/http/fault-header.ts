import { findNearestName } from '../../api/schema/spelling.ts'
import { checkAgainstSchema } from '../../api/schema/validate.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import {
  addFaultDefaults,
  DEFAULT_FAULT_OPTIONS,
  FAULT_TYPES_BY_KIND,
  faultParams,
  parseFaultOption,
  type ResolvedFaultOptions,
} from '../../domain/faults/faults.ts'

type RequestFaultType = (typeof FAULT_TYPES_BY_KIND.request)[number]

/** A fault that applies to one request. */
export interface RequestFault {
  readonly type: RequestFaultType
  readonly options: ResolvedFaultOptions
}

const REQUEST_FAULTS: readonly string[] = FAULT_TYPES_BY_KIND.request
const OTHER_FAULTS: readonly string[] = [...FAULT_TYPES_BY_KIND.delivery, ...FAULT_TYPES_BY_KIND.payment]
const EXAMPLES = '`Paycli-Fault: drop_response` and `Paycli-Fault: error; http_status=503; retry_after=2`'
const MAX_QUOTED = 40

/** Returns whether a fault applies to requests. */
export function isRequestFault(type: string): type is RequestFaultType {
  return REQUEST_FAULTS.includes(type)
}

/**
 * Parses the header `Paycli-Fault`: a fault on requests with options, such as `error; http_status=503; retry_after=2`. Throws
 * a DomainError that names the possible values.
 */
export function parseFaultHeader(header: string): RequestFault {
  const [type = '', ...assignments] = header.split(';').map((part) => part.trim())
  if (!isRequestFault(type)) throw unknownTypeError(type)
  const fields: Record<string, string | number> = { type }
  for (const assignment of assignments) {
    const [name, text] = splitAssignment(assignment)
    requireOption(type, name)
    if (Object.hasOwn(fields, name)) throw invalidHeader(`${name} is set twice`, 'Set each option once')
    fields[name] = parseFaultOption(name, text)
  }
  const { valid, errors } = checkAgainstSchema(fields, faultParams)
  if (valid === null) throw new DomainError(CODE, `Invalid Paycli-Fault header: ${errors[0]?.message}`)
  return { type, options: addFaultDefaults(valid) }
}

const CODE = 'fault_header_invalid'

function splitAssignment(assignment: string): [name: string, value: string] {
  const [, name, value] = /^(\w+)\s*=\s*(\S+)$/.exec(assignment) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw invalidHeader(
    `'${quoted(assignment)}' is not an option`,
    `Write a fault and its options as in ${EXAMPLES}`,
  )
}

function requireOption(type: RequestFaultType, name: string): void {
  const known = Object.keys(DEFAULT_FAULT_OPTIONS[type] ?? {})
  if (known.includes(name)) return
  const expected =
    known.length === 0 ? `${type} has no options` : `${type} has the options ${known.join(', ')}`
  throw invalidHeader(`the option '${quoted(name)}' has no effect`, `Omit it: ${expected}`)
}

function unknownTypeError(type: string): DomainError {
  const possible = `A request can name ${FAULT_TYPES_BY_KIND.request.join(', ')}`
  if (OTHER_FAULTS.includes(type)) {
    return invalidHeader(
      `${type} is not a fault on requests`,
      `Create it with POST /v1/test_helpers/faults. ${possible}`,
    )
  }
  const nearest = findNearestName(type, REQUEST_FAULTS)
  const hint = nearest === null ? '' : `Did you mean ${nearest}? `
  return invalidHeader(`there is no fault '${quoted(type)}'`, `${hint}${possible}`)
}

function quoted(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

function invalidHeader(problem: string, fix: string): DomainError {
  return new DomainError(CODE, `Invalid Paycli-Fault header: ${problem}. ${fix}.`)
}
