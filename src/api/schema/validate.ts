import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { cutMasked, maskCardNumbers } from '../../domain/card-numbers.ts'
import { DomainError, type UnmaskedValidationError } from '../../domain/domain-error.ts'
import { echo, FORMATS } from './formats.ts'
import type { ObjectSchema, Schema } from './schema.ts'
import { nearestName } from './spelling.ts'

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

// A body of 256 KiB can have a hundred thousand problems; nobody reads them.
const MAX_PROBLEMS_TOLD = 100
const MAX_NAME_CHARACTERS = 80

/** Whether parameters fit the schema. */
export function fits(params: unknown, schema: ObjectSchema<never>): boolean {
  return checkOf(schema)(params)
}

/** What does not fit in parameters, and the parameters with null in the place of each value that does not. */
export interface Misfits {
  readonly found: readonly Found[]
  readonly sound: object
}

/** Looks for all that does not fit the schema, and tells up to a hundred problems. */
export function misfitsOf(params: object, schema: ObjectSchema<never>): Misfits {
  const check = checkOf(schema)
  const errors = check(params) ? [] : withoutEchoes(check.errors ?? [])
  const sound = structuredClone(params)
  for (const error of errors) blank(sound, error)
  return { found: errors.slice(0, MAX_PROBLEMS_TOLD).map(toProblem), sound }
}

// What is of the wrong type is in no list of words either, and that goes without saying.
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map((one) => one.instancePath))
  return errors.filter(({ keyword, instancePath }) => keyword !== 'enum' || !mistyped.has(instancePath))
}

/** A problem, with the name that was probably meant. */
export interface Found extends UnmaskedValidationError {
  readonly suggestion?: string | null
}

/** The refusal that tells of problems, up to a hundred, in the order in which the schema has their parameters. */
export function refusalOfAll(problems: readonly Found[], schema: ObjectSchema<never>): DomainError {
  const placed = problems.map((problem) => ({ problem, place: placeOf(problem.param, schema) }))
  placed.sort((a, b) => comparePlaces(a.place, b.place))
  const told = placed.slice(0, MAX_PROBLEMS_TOLD).map(({ problem }) => problem)
  // A misspelt name is the cause of the missing one beside it, so it leads.
  const [first, ...others] = [...told.filter(isMisspelt), ...told.filter((one) => !isMisspelt(one))]
  if (first === undefined) throw new Error('nothing is wrong, so nothing can be refused')
  const errors = [first, ...others].map(({ suggestion: _, ...problem }) => problem)
  const { code, message, param, suggestion = null, isSafe = false } = first
  return new DomainError(code, message, { param, suggestion, errors, isSafe })
}

// What counts entries stands at the list and leaves each of them as good as it is; what is missing stands nowhere.
const LEAVES_VALUE: ReadonlySet<string> = new Set([
  'required',
  'additionalProperties',
  'minItems',
  'maxItems',
])

function blank(params: object, { keyword, instancePath }: ErrorObject): void {
  const steps = stepsOf(instancePath)
  const last = steps.pop()
  if (last === undefined || LEAVES_VALUE.has(keyword)) return
  const holder = steps.reduce<unknown>((value, step) => Reflect.get(Object(value), step), params)
  if (typeof holder === 'object' && holder !== null) Reflect.set(holder, last, null)
}

/** Where a parameter stands: the place of each step of its path among those beside it. */
function placeOf(param: string | null, schema: ObjectSchema<never>): readonly number[] {
  const places: number[] = []
  let at: Schema<unknown> | undefined = schema
  for (const step of (param ?? '').split(/[[\]]+/).filter((name) => name !== '')) {
    const index: number =
      at?.items === undefined ? Object.keys(at?.properties ?? {}).indexOf(step) : Number(step)
    // What nobody knows comes after all that is known.
    places.push(index >= 0 ? index : Number.MAX_SAFE_INTEGER)
    at = at?.items ?? at?.properties?.[step]
  }
  return places
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((place, index) => place !== b[index])
  if (differing < 0) return a.length - b.length
  return (a[differing] ?? 0) - (b[differing] ?? -1)
}

/** The parameters without those that the schema does not know, at any depth, and the bracket paths of these. */
export function withoutUnknown(
  params: object,
  schema: ObjectSchema<never>,
): { readonly known: object; readonly ignored: readonly string[] } {
  const check = checkOf(schema)
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

function checkOf(schema: ObjectSchema<never>): ValidateFunction {
  const check = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, check)
  return check
}

function createAjv(): Ajv {
  const instance = new Ajv({ allErrors: true, strict: false, verbose: true })
  // Our formats also check objects and numbers, which ajv's own keyword of that name does not.
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
  // A list is refused by its type alone.
  if (format === undefined || !format.appliesTo.includes(typeof data) || Array.isArray(data)) return true
  return format.isValid(data as never)
}

function toProblem(error: ErrorObject): Found {
  const path = bracketPath(error)
  const codes: Readonly<Record<string, string>> = error.parentSchema?.errorCodes ?? {}
  const code =
    codes[error.keyword] ?? codeOfType(error) ?? GENERAL_CODES[error.keyword] ?? 'parameter_invalid_type'
  const suggestion = error.keyword === 'additionalProperties' ? nearestParameter(error) : null
  const isSafe = error.keyword === 'minimum' || error.keyword === 'maximum'
  return { code, param: path, message: messageOf(error, path, suggestion), suggestion, isSafe }
}

function isMisspelt({ suggestion = null }: Found): boolean {
  return suggestion !== null
}

function codeOfType({ keyword, parentSchema }: ErrorObject): string | undefined {
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
  return name.length > MAX_NAME_CHARACTERS ? cutMasked(name, MAX_NAME_CHARACTERS) : name
}

function stepsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What may be sent: an id belongs in the path. */
function bodyNames(schema: ErrorObject['parentSchema']): string[] {
  return Object.keys(schema?.properties ?? {}).filter((name) => name !== 'id')
}

function nearestParameter({ params, parentSchema }: ErrorObject): string | null {
  const given = shorten(String(params.additionalProperty))
  return nearestName(given.toLowerCase().replaceAll('-', '_'), bodyNames(parentSchema))
}

function messageOf(error: ErrorObject, path: string, suggestion: string | null): string {
  const { schema, data, parentSchema } = error
  switch (error.keyword) {
    case 'required':
      return `Missing required parameter: ${path}.`
    case 'additionalProperties':
      return unknownMessage(error, path, suggestion)
    case 'type':
      return `${path} must be ${expected(error, path)}, but ${describe(data)} was given.`
    case 'enum':
      return `${path} ${echo(data)} is not one of: ${(schema as unknown[]).map(String).join(', ')}.`
    case 'minimum':
    case 'maximum':
      // A card number may be sent in place of an amount; the bounds are never one.
      return `${path} must be from ${parentSchema?.minimum} to ${parentSchema?.maximum}, but ${maskCardNumbers(echo(data))} was given.`
    case 'minLength':
      return `${path} must not be empty; leave it out instead.`
    case 'maxLength':
      return `${path} has ${[...String(data)].length} characters; ${String(schema)} are allowed.`
    case 'minItems':
    case 'maxItems':
      return `${path} must have 1 to ${parentSchema?.maxItems} entries, but has ${(data as unknown[]).length}.`
    default:
      return `${path} ${FORMATS[String(schema)]?.complaint(data) ?? 'is not valid.'}`
  }
}

function unknownMessage({ parentSchema }: ErrorObject, path: string, suggestion: string | null): string {
  const names = bodyNames(parentSchema).join(', ')
  return suggestion === null
    ? `Unknown parameter: ${path}. ${names === '' ? 'None are taken here.' : `Known here: ${names}.`}`
    : `Unknown parameter: ${path}. Did you mean ${suggestion}?`
}

function expected({ schema, parentSchema }: ErrorObject, path: string): string {
  return parentSchema?.format === 'range' ? `an integer, or bounds such as ${path}[gte]` : article(schema)
}

function article(type: unknown): string {
  const names = [type].flat().map((name) => (/^[aeiou]/.test(String(name)) ? `an ${name}` : `a ${name}`))
  return names.join(' or ').replace('a null', 'null')
}

function describe(data: unknown): string {
  if (data === null) return 'null'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'an object'
  return `${typeof data === 'number' ? 'the number' : `the ${typeof data}`} ${echo(data)}`
}
