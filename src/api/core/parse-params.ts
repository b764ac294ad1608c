import { DomainError, type ValidationError } from '../../domain/core/domain-error.ts'
import { parseQuery } from '../schema/query.ts'
import type { UnparsedParams } from './operation-request.ts'

const MAX_JSON_DEPTH = 32
/** Limits the work of validation; the largest valid body has about 1000 values. */
const MAX_JSON_VALUES = 2_000

/** Parameters of a request before validation. `misplaced` has an error for each misplaced parameter. */
export type UnvalidatedParams = ReturnType<typeof parseParams>

/** Returns the unvalidated parameters of path, query and body; throws `DomainError` for a malformed body. */
export function parseParams(request: UnparsedParams) {
  const { operation, search, id, onIgnored } = request
  const isPost = operation.method === 'POST'
  const given = isPost ? readBody(request) : parseQuery(search, operation.params)
  const params = id === undefined ? given : { ...given, id }
  const ids = id !== undefined && Object.hasOwn(given, 'id') ? ['id'] : []
  const queryNames = isPost && search !== '' ? [...new Set(new URLSearchParams(search).keys())] : []
  if (onIgnored !== undefined) {
    for (const names of [queryNames, ids]) if (names.length > 0) onIgnored(names)
    return { params, misplaced: [] }
  }
  const misplaced = [
    ...ids.map((param) => unknownError(param, 'Unknown parameter: id. The id is already in the path.')),
    ...queryNames.slice(0, MAX_REPORTED_PARAMS).map((param) => {
      const why = 'Send the parameters of a POST in the JSON body.'
      return unknownError(param, `Unknown query parameter: ${param}. ${why}`)
    }),
  ]
  return { params, misplaced }
}

function unknownError(param: string, message: string): ValidationError {
  return { code: 'parameter_unknown', param, message }
}

const MAX_REPORTED_PARAMS = 100

function readBody({ operation, body }: UnparsedParams): Record<string, unknown> {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError(
      'invalid_json',
      'The body must be one JSON object, such as {"email":"ada@example.com"}.',
    )
  }
  const hasReturns = checkStructure(body)
  const params = (hasReturns ? normalizeLineBreaks(body) : body) as Record<string, unknown>
  return operation.nulls === 'absent' ? withoutNulls(params) : { ...params }
}

// Converts CR LF, which HTML forms and Windows files use, and single CR to LF.
function normalizeLineBreaks(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\r\n?/g, '\n')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(normalizeLineBreaks)
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, normalizeLineBreaks(inner)]))
}

// Checks the body level by level, because recursion is safe only after the depth is checked. Returns whether any string
// contains a CR.
function checkStructure(body: object): boolean {
  let level: object[] = [body]
  let count = 0
  let hasReturns = false
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) {
      throw new DomainError('invalid_json', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
    }
    for (const value of level) {
      const keys = Object.keys(value)
      count += keys.length
      if (count > MAX_JSON_VALUES) {
        throw new DomainError('invalid_json', `The body has more than ${MAX_JSON_VALUES} values.`)
      }
      if (keys.includes('__proto__')) {
        throw new DomainError('invalid_json', "The key '__proto__' is not allowed in a body.")
      }
    }
    const values = level.flatMap((value): unknown[] => Object.values(value))
    hasReturns ||= values.some((value) => typeof value === 'string' && value.includes('\r'))
    level = values.filter((value) => typeof value === 'object' && value !== null)
  }
  return hasReturns
}

function withoutNulls(value: object): Record<string, unknown> {
  // `typeof null` is 'object', so a value without properties of the type 'object' contains no null.
  if (Object.values(value).every((inner) => typeof inner !== 'object')) return { ...value }
  const kept = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutInnerNulls(inner)]))
}

function withoutInnerNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInnerNulls)
  return typeof value === 'object' && value !== null ? withoutNulls(value) : value
}
