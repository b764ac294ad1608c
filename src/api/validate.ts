import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { type Problem, Refusal } from '../domain/refusal.ts'
import { echo, FORMATS } from './formats.ts'
import type { ObjectSchema } from './schema.ts'
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

/** Refuses parameters that do not fit the schema, with every problem up to a hundred; the first one leads. */
export function validate(params: unknown, schema: ObjectSchema<never>): void {
  const check = checkOf(schema)
  if (check(params)) return
  const found = (check.errors ?? []).slice(0, MAX_PROBLEMS_TOLD).map(toProblem)
  // A misspelt name is the cause of the missing one beside it, so it leads.
  const problems = [...found.filter(isMisspelt), ...found.filter((problem) => !isMisspelt(problem))]
  const [first] = problems
  if (first === undefined) throw new Error('ajv refused without an error')
  const { suggestion, ...leading } = first
  throw new Refusal(leading.code, leading.message, {
    param: leading.param,
    suggestion,
    errors: problems.map(({ code, message, param }) => ({ code, message, param })),
  })
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
    const steps = instancePath.split('/').slice(1).map(unescapePointer)
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

interface Found extends Problem {
  readonly suggestion: string | null
}

function toProblem(error: ErrorObject): Found {
  const path = bracketPath(error)
  const codes: Readonly<Record<string, string>> = error.parentSchema?.errorCodes ?? {}
  const code =
    codes[error.keyword] ?? codeOfType(error) ?? GENERAL_CODES[error.keyword] ?? 'parameter_invalid_type'
  const suggestion = error.keyword === 'additionalProperties' ? nearestParameter(error) : null
  return { code, param: path, message: messageOf(error, path, suggestion), suggestion }
}

function isMisspelt({ suggestion }: Found): boolean {
  return suggestion !== null
}

function codeOfType({ keyword, parentSchema }: ErrorObject): string | undefined {
  const isNumber = parentSchema?.type === 'integer' || parentSchema?.format === 'range'
  return keyword === 'type' && isNumber ? 'parameter_invalid_integer' : undefined
}

function bracketPath({ instancePath, params }: ErrorObject): string {
  const missing: unknown = params.missingProperty ?? params.additionalProperty
  const steps = instancePath.split('/').slice(1).map(unescapePointer)
  const names = typeof missing === 'string' ? [...steps, missing] : steps
  const [first = 'body', ...rest] = names.map(shorten)
  return first + rest.map((step) => `[${step}]`).join('')
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
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
      return `${path} ${echo(data)} is not one of: ${(schema as unknown[]).join(', ')}.`
    case 'minimum':
    case 'maximum':
      return `${path} must be from ${parentSchema?.minimum} to ${parentSchema?.maximum}, but ${echo(data)} was given.`
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
