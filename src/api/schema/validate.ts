import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { maskCardNumbers, truncateMasked } from '../../domain/card-number-masking.ts'
import { DomainError, type UnmaskedValidationError } from '../../domain/domain-error.ts'
import { FORMATS, quote } from './formats.ts'
import type { ObjectSchema, Schema } from './schema.ts'
import { findNearestName } from './spelling.ts'

const ajv = createAjv()
const compiled = new WeakMap<object, ValidateFunction>()

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

// A body of 256 KiB can contain 100,000 errors.
const MAX_REPORTED_ERRORS = 100
const MAX_NAME_CHARACTERS = 80

/** Returns whether parameters match a schema. */
export function matchesSchema(params: unknown, schema: ObjectSchema<never>): boolean {
  return compile(schema)(params)
}

/** The errors of parameters, and a copy of the parameters in which invalid values are null. */
export interface SchemaCheck {
  readonly errors: readonly SchemaError[]
  readonly validParams: object
}

/** Returns up to 100 errors of parameters, and the parameters without their invalid values. */
export function findSchemaErrors(params: object, schema: ObjectSchema<never>): SchemaCheck {
  const check = compile(schema)
  const errors = check(params) ? [] : withoutRedundantErrors(check.errors ?? [])
  const validParams = structuredClone(params)
  for (const error of errors) setToNull(validParams, error)
  return { errors: errors.slice(0, MAX_REPORTED_ERRORS).map(toSchemaError), validParams }
}

// A value of the wrong type also violates `enum`; the type error is enough.
function withoutRedundantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map((one) => one.instancePath))
  return errors.filter(({ keyword, instancePath }) => keyword !== 'enum' || !mistyped.has(instancePath))
}

/** A validation error with the parameter name that was probably intended. */
export interface SchemaError extends UnmaskedValidationError {
  readonly suggestion?: string | null
}

/** Returns one `DomainError` with up to 100 errors, in the order of the schema's parameters. */
export function combineErrors(all: readonly SchemaError[], schema: ObjectSchema<never>): DomainError {
  const sortable = all.map((error) => ({ error, position: positionOf(error.param, schema) }))
  sortable.sort((a, b) => comparePositions(a.position, b.position))
  const reported = sortable.slice(0, MAX_REPORTED_ERRORS).map(({ error }) => error)
  // A misspelled name causes the error for the missing parameter, so it comes first.
  const [first, ...others] = [
    ...reported.filter(isMisspelled),
    ...reported.filter((error) => !isMisspelled(error)),
  ]
  if (first === undefined) throw new Error('combineErrors needs at least one error')
  const errors = [first, ...others].map(({ suggestion: _, ...error }) => error)
  const { code, message, param, suggestion = null, skipMasking = false } = first
  return new DomainError(code, message, { param, suggestion, errors, skipMasking })
}

// Errors of these keywords leave the value at their path usable.
const CONTAINER_KEYWORDS: ReadonlySet<string> = new Set([
  'required',
  'additionalProperties',
  'minItems',
  'maxItems',
])

function setToNull(params: object, { keyword, instancePath }: ErrorObject): void {
  const steps = stepsOf(instancePath)
  const last = steps.pop()
  if (last === undefined || CONTAINER_KEYWORDS.has(keyword)) return
  const holder = steps.reduce<unknown>((value, step) => Reflect.get(Object(value), step), params)
  if (typeof holder === 'object' && holder !== null) Reflect.set(holder, last, null)
}

/** Returns the index of each path segment of a parameter among its siblings in the schema. */
function positionOf(param: string | null, schema: ObjectSchema<never>): readonly number[] {
  const places: number[] = []
  let at: Schema<unknown> | undefined = schema
  for (const step of (param ?? '').split(/[[\]]+/).filter((name) => name !== '')) {
    const index: number =
      at?.items === undefined ? Object.keys(at?.properties ?? {}).indexOf(step) : Number(step)
    // Unknown parameters come last.
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

/** Returns the parameters without unknown ones at any depth, and the bracket paths of the unknown ones. */
export function withoutUnknown(
  params: object,
  schema: ObjectSchema<never>,
): { readonly known: object; readonly ignored: readonly string[] } {
  const check = compile(schema)
  const unknown = check(params) ? [] : (check.errors ?? []).filter(isUnknown)
  if (unknown.length === 0) return { known: params, ignored: [] }
  const known = structuredClone(params)
  for (const { instancePath, params: named } of unknown) {
    const steps = stepsOf(instancePath)
    const holder = steps.reduce<unknown>((value, step) => Reflect.get(Object(value), step), known)
    Reflect.deleteProperty(Object(holder), String(named.additionalProperty))
  }
  return { known, ignored: unknown.map(bracketPath) }
}

function isUnknown({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties'
}

function compile(schema: ObjectSchema<never>): ValidateFunction {
  const check = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, check)
  return check
}

function createAjv(): Ajv {
  const instance = new Ajv({ allErrors: true, strict: false, verbose: true })
  // The built-in `format` keyword of ajv checks strings only; ours also checks objects and numbers.
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
  // A list already has a type error.
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
  return name.length > MAX_NAME_CHARACTERS ? truncateMasked(name, MAX_NAME_CHARACTERS) : name
}

function stepsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

// The id belongs in the path.
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
      return `${path} ${quote(data)} is not one of: ${(schema as unknown[]).map(String).join(', ')}.`
    case 'minimum':
    case 'maximum':
      // The value can be a card number in the wrong field; the bounds cannot.
      return `${path} must be from ${parentSchema?.minimum} to ${parentSchema?.maximum}, but ${maskCardNumbers(quote(data))} was given.`
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
  return `${typeof data === 'number' ? 'the number' : `the ${typeof data}`} ${quote(data)}`
}
