import { Ajv, type ErrorObject } from 'ajv'
import {
  DomainError,
  type UnmaskedValidationError,
  type Unvalidated,
} from '../../domain/core/domain-error.ts'
import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'
import { maskAndTruncate, maskCardNumbers } from '../../domain/text/card-number-masking.ts'
import { FORMATS, quoteValue } from './formats.ts'
import { findNearestName } from './spelling.ts'

const ajv = createAjv()

const GENERAL_CODES: Readonly<Record<string, string>> = {
  required: 'parameter_missing',
  additionalProperties: 'parameter_unknown',
  type: 'parameter_invalid_type',
  enum: 'parameter_invalid_enum',
  minimum: 'parameter_invalid_integer',
  maximum: 'parameter_invalid_integer',
  minLength: 'parameter_invalid_string',
  maxLength: 'parameter_invalid_string',
  format: 'parameter_invalid_string',
  minItems: 'parameter_invalid_array',
  maxItems: 'parameter_invalid_array',
}

// Limits the errors of one response, because a body of 256 KiB can contain 100,000 errors.
const MAX_REPORTED_ERRORS = 100
const MAX_NAME_CHARACTERS = 80
/** Number of choices above which a message names only the most similar choice, if a similar choice exists. */
const MAX_LISTED_CHOICES = 12

/** The parameters of a request after they were checked against a schema. */
export interface SchemaCheckResult<P> {
  /** The parameters, or null after an error. */
  readonly valid: P | null
  /** The parameters; after an error a copy in which invalid values are null. */
  readonly known: Unvalidated<P>
  /** The first 100 errors at most. */
  readonly errors: readonly SchemaError[]
  /** The bracket paths of the unknown parameters that were removed. */
  readonly ignored: readonly string[]
}

/** Checks parameters against a schema. Unknown parameters at any depth are errors, or are removed with `ignoreUnknown`. */
export function checkAgainstSchema<P>(
  params: unknown,
  schema: ObjectSchema<P>,
  ignoreUnknown = false,
): SchemaCheckResult<P> {
  // Repeated calls are fast, because ajv compiles each schema object once.
  const check = ajv.compile<P>(schema)
  if (check(params)) return { valid: params, known: params as Unvalidated<P>, errors: [], ignored: [] }
  const all = withoutRedundantErrors(check.errors ?? [])
  const unknown = ignoreUnknown ? all.filter(isUnknown) : []
  const errors = ignoreUnknown ? all.filter((error) => !isUnknown(error)) : all
  const known: unknown = structuredClone(params)
  for (const error of unknown) removeParam(known, error)
  for (const error of errors) setToNull(known, error)
  return {
    valid: errors.length === 0 ? (known as P) : null,
    known: known as Unvalidated<P>,
    errors: errors.slice(0, MAX_REPORTED_ERRORS).map(toSchemaError),
    ignored: unknown.map(bracketPath),
  }
}

// Removes the `enum` errors of values that also have a type error, which is enough.
function withoutRedundantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map((one) => one.instancePath))
  return errors.filter(({ keyword, instancePath }) => keyword !== 'enum' || !mistyped.has(instancePath))
}

/** A validation error with the parameter name that was probably intended. */
export interface SchemaError extends UnmaskedValidationError {
  readonly suggestion?: string | null
}

/** Returns one `DomainError` with up to 100 errors, in the order of the schema's parameters. */
export function combineErrors(all: readonly SchemaError[], schema: ObjectSchema<unknown>): DomainError {
  const sortable = all.map((error) => ({ error, position: positionOf(error.param, schema) }))
  sortable.sort((a, b) => comparePositions(a.position, b.position))
  const reported = sortable.slice(0, MAX_REPORTED_ERRORS).map(({ error }) => error)
  // The misspelled parameter comes first, because it causes the error for the missing parameter.
  const [first, ...others] = [
    ...reported.filter(isMisspelled),
    ...reported.filter((error) => !isMisspelled(error)),
  ]
  if (first === undefined) throw new Error('combineErrors needs at least one error')
  const errors = [first, ...others].map(({ suggestion: _, ...error }) => error)
  const { code, message, param, suggestion = null, skipMasking = false } = first
  return new DomainError(code, message, { param, suggestion, errors, skipMasking })
}

// After an error of one of these keywords, the value at the error path is still usable.
const CONTAINER_KEYWORDS: ReadonlySet<string> = new Set([
  'required',
  'additionalProperties',
  'minItems',
  'maxItems',
])

function setToNull(params: unknown, { keyword, instancePath }: ErrorObject): void {
  const steps = stepsOf(instancePath)
  const last = steps.pop()
  if (last === undefined || CONTAINER_KEYWORDS.has(keyword)) return
  const holder = valueAt(params, steps)
  if (typeof holder === 'object' && holder !== null) Reflect.set(holder, last, null)
}

function removeParam(params: unknown, { instancePath, params: named }: ErrorObject): void {
  Reflect.deleteProperty(Object(valueAt(params, stepsOf(instancePath))), String(named.additionalProperty))
}

function valueAt(params: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => Reflect.get(Object(value), step), params)
}

/** Returns the index of each path segment of a parameter among its siblings in the schema. */
function positionOf(param: string | null, schema: ObjectSchema<unknown>): readonly number[] {
  const places: number[] = []
  let at: Schema<unknown> | undefined = schema
  for (const step of (param ?? '').split(/[[\]]+/).filter((name) => name !== '')) {
    const index: number =
      at?.items === undefined ? Object.keys(at?.properties ?? {}).indexOf(step) : Number(step)
    // Sort unknown parameters last.
    places.push(index >= 0 ? index : Number.MAX_SAFE_INTEGER)
    at = at?.items ?? at?.properties?.[step]
  }
  return places
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((place, index) => place !== b[index])
  if (differing < 0) return a.length - b.length
  return (a[differing] ?? 0) - (b[differing] ?? -1)
}

function isUnknown({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties'
}

function createAjv(): Ajv {
  // A test checks the schemas of the operations. Checking them here would delay the first request, because ajv would
  // have to compile the meta-schema.
  const instance = new Ajv({
    ...{ allErrors: true, strict: false, verbose: true },
    ...{ meta: false, validateSchema: false },
    // Optimization doubles the compile time, which delays the first request to each operation, and makes no check
    // faster.
    code: { optimize: false },
  })
  // The built-in `format` keyword of ajv checks only strings; this keyword also checks objects and numbers.
  instance.removeKeyword('format')
  instance.addKeyword({
    keyword: 'format',
    errors: false,
    validate: (name: string, data: unknown) => isFormat(name, data),
  })
  return instance
}

function isFormat(name: string, data: unknown): boolean {
  const format = FORMATS[name]
  // Skip arrays, because validation has already reported a type error for an array.
  if (format === undefined || !format.appliesTo.includes(typeof data) || Array.isArray(data)) return true
  return format.isValid(data as never)
}

function toSchemaError(error: ErrorObject): SchemaError {
  const path = bracketPath(error)
  const codes: Readonly<Record<string, string>> = error.parentSchema?.errorCodes ?? {}
  const code =
    codes[error.keyword] ?? integerTypeCode(error) ?? GENERAL_CODES[error.keyword] ?? 'parameter_invalid_type'
  const suggestion = error.keyword === 'additionalProperties' ? suggestParameter(error) : null
  const isSafe = error.keyword === 'minimum' || error.keyword === 'maximum'
  return { code, param: path, message: messageOf(error, path, suggestion), suggestion, skipMasking: isSafe }
}

function isMisspelled({ suggestion = null }: SchemaError): boolean {
  return suggestion !== null
}

function integerTypeCode({ keyword, parentSchema }: ErrorObject): string | undefined {
  const isNumber = parentSchema?.type === 'integer' || parentSchema?.format === 'range'
  return keyword === 'type' && isNumber ? 'parameter_invalid_integer' : undefined
}

function bracketPath({ instancePath, params }: ErrorObject): string {
  const missing: unknown = params.missingProperty ?? params.additionalProperty
  const steps = stepsOf(instancePath)
  const names = typeof missing === 'string' ? [...steps, missing] : steps
  const [first = 'body', ...rest] = names.map(shorten)
  return first + rest.map((step) => `[${step}]`).join('')
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARACTERS ? maskAndTruncate(name, MAX_NAME_CHARACTERS) : name
}

function stepsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

// Messages never name `id` as a parameter of the body, because an id belongs in the path.
function bodyNames(schema: ErrorObject['parentSchema']): string[] {
  return Object.keys(schema?.properties ?? {}).filter((name) => name !== 'id')
}

function suggestParameter({ params, parentSchema }: ErrorObject): string | null {
  const given = shorten(String(params.additionalProperty))
  return findNearestName(given.toLowerCase().replaceAll('-', '_'), bodyNames(parentSchema))
}

function messageOf(error: ErrorObject, path: string, suggestion: string | null): string {
  const { schema, data, parentSchema } = error
  switch (error.keyword) {
    case 'required':
      return `Missing required parameter: ${path}.`
    case 'additionalProperties':
      return unknownMessage(error, path, suggestion)
    case 'type':
      return `${path} must be ${describeExpectedType(error, path)}, but ${describeValue(data)} was given.`
    case 'enum':
      return `${path} ${quoteValue(data)} ${describeChoices(data, (schema as unknown[]).map(String))}`
    case 'minimum':
    case 'maximum':
      // Mask the value, which may be a card number in the wrong field. The minimum and maximum need no masking.
      return `${path} must be from ${parentSchema?.minimum} to ${parentSchema?.maximum}, but ${maskCardNumbers(quoteValue(data))} was given.`
    case 'minLength':
      return `${path} must not be empty; omit it instead.`
    case 'maxLength':
      return `${path} has ${[...String(data)].length} characters; the maximum is ${String(schema)}.`
    case 'minItems':
    case 'maxItems':
      return `${path} must have 1 to ${parentSchema?.maxItems} entries, but has ${(data as unknown[]).length}.`
    default:
      return `${path} ${FORMATS[String(schema)]?.describeError(data) ?? 'is not valid.'}`
  }
}

function describeChoices(data: unknown, choices: readonly string[]): string {
  const nearest = choices.length > MAX_LISTED_CHOICES ? findNearestName(shorten(String(data)), choices) : null
  return nearest === null
    ? `is not one of: ${choices.join(', ')}.`
    : `is none of the ${choices.length} accepted values. Did you mean ${nearest}?`
}

function unknownMessage({ parentSchema }: ErrorObject, path: string, suggestion: string | null): string {
  const names = bodyNames(parentSchema).join(', ')
  return suggestion === null
    ? `Unknown parameter: ${path}. ${names === '' ? 'This operation has no parameters.' : `Known parameters: ${names}.`}`
    : `Unknown parameter: ${path}. Did you mean ${suggestion}?`
}

function describeExpectedType({ schema, parentSchema }: ErrorObject, path: string): string {
  return parentSchema?.format === 'range' ? `an integer, or bounds such as ${path}[gte]` : withArticle(schema)
}

function withArticle(type: unknown): string {
  const names = [type].flat().map((name) => (/^[aeiou]/.test(String(name)) ? `an ${name}` : `a ${name}`))
  return names.join(' or ').replace('a null', 'null')
}

function describeValue(data: unknown): string {
  if (data === null) return 'null'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'an object'
  return `${typeof data === 'number' ? 'the number' : `the ${typeof data}`} ${quoteValue(data)}`
}
