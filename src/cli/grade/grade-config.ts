import { existsSync } from 'node:fs'
import type { FlagInput } from '@oclif/core/interfaces'
import { checkAgainstSchema, combineErrors } from '../../api/schema/validate.ts'
import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import * as p from '../../domain/core/params.ts'
import type { Schema, ValueOf } from '../../domain/core/schema.ts'
import { SEVERITIES } from '../../presentation/grade-report.ts'
import { createJsonError } from '../errors/json-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { exploreFlags } from '../explore/explore-flags.ts'
import { boolean, integer, string } from '../parse/flag-builders.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'
import { readOptionalOwnFileOrUsageError } from '../service/user-file.ts'
import { GRADE_CLASSES, type GradeClass } from './grade-result.ts'
import { REPORT_FILES } from './report-files.ts'

const TEXT: Schema<string> = { type: 'string', minLength: 1 }
const PLACEHOLDERS = '{customer}, {user}, {email} and {now} are replaced.'

/** The configuration file. Each key except `metadata`, `sells` and `$comment` is also a flag, which takes precedence. */
const CONFIG = p.shape(
  {},
  {
    ...{ url: TEXT, access: TEXT, paid: TEXT, signup: TEXT },
    ...{ scenario: TEXT, observe: TEXT, database: TEXT, expect: TEXT, reset: TEXT, time: TEXT },
    rate: p.integer({ min: 1, max: 1000 }, ''),
    seconds: p.integer({ min: 1, max: 300 }, ''),
    metadata: p.metadata(),
    sells: p.list(p.choice(['payments', 'subscriptions'], ''), 2, ''),
    $comment: p.list(TEXT, 100, ''),
  },
)

export type GradeConfig = ValueOf<typeof CONFIG>

/** Returns the kinds of sales to try. */
export function listSaleTypes({ sells = ['payments', 'subscriptions'] }: GradeConfig) {
  return sells
}

/** The default name of the configuration file. */
export const DEFAULT_CONFIG_FILE = 'paycli.grade.json'

/** The flags of `paycli grade` that are not global. */
export const gradeFlags: FlagInput = {
  config: string({
    description: `Configuration file (default: ${DEFAULT_CONFIG_FILE}, if it exists).`,
    helpValue: '<file>',
  }),
  init: boolean({
    description: `Write the configuration file for the app in the current folder, and with a command also a scenario: open the printed address, buy once, and press Enter. Existing files are kept. --time limits the recording (default: 10m).`,
  }),
  url: string({
    description:
      'Webhook address of the app: a path, a port with a path, or a URL (default: found by trying common paths). Without a command, the address of a running app.',
    helpValue: '<path|port|url>',
  }),
  access: string({
    description: `Path of the app, URL or shell command that prints whether a customer has access: true or false. ${PLACEHOLDERS}`,
    helpValue: '<path|command>',
  }),
  paid: string({
    description: `Path of the app, URL or shell command that prints the paid amount of a customer minus refunds, in minor units. ${PLACEHOLDERS}`,
    helpValue: '<path|command>',
  }),
  signup: string({
    description:
      'Path of the app, URL or shell command that lets the app create a customer, and prints the id of the customer (default: paycli creates the customer).',
    helpValue: '<path|command>',
  }),
  scenario: string({
    description:
      'Fixture file, recording of --init, or shell command that buys in your app during the runs with faults (default: paycli creates the payments).',
    helpValue: '<file|command>',
  }),
  ...pickFlags('observe', 'database', 'expect', 'reset'),
  ...Object.fromEntries(
    Object.entries(REPORT_FILES).map(([name, { description }]) => [
      name,
      string({ description, helpValue: '<file>' }),
    ]),
  ),
  time: string({ description: 'Time limit of the runs with faults (default: 60s).', helpValue: '<60s>' }),
  rate: integer({
    description: 'Events per second of the load (default: 50).',
    helpValue: '<50>',
    min: 1,
    max: 1000,
  }),
  seconds: integer({
    description: 'Duration of the load in seconds (default: 10).',
    helpValue: '<10>',
    min: 1,
    max: 300,
  }),
  only: string({
    description: `Only these classes or unique prefixes of their names, separated by commas: ${Object.keys(GRADE_CLASSES).join(', ')}.`,
    helpValue: '<class>',
  }),
  'fail-on': string({
    description: 'Lowest severity of a finding that makes the command fail.',
    options: SEVERITIES,
    default: 'medium',
  }),
  secret: string({
    description: 'Signing secret of a running app (default: the secret of the local server).',
    helpValue: '<whsec_…>',
    env: 'PAYCLI_WEBHOOK_SECRET',
  }),
  baseline: string({
    description: 'JSON report of an earlier run, whose findings do not make the command fail.',
    helpValue: '<file>',
  }),
}

function pickFlags(...names: readonly string[]): FlagInput {
  return Object.fromEntries(Object.entries(exploreFlags).filter(([name]) => names.includes(name)))
}

/** Returns the configuration: the flags, and the file for absent flags. Throws a UsageError that names the invalid key. */
export function readGradeConfig(flags: FlagValues): GradeConfig {
  const given = findFlagText(flags['config'])
  const file = given ?? DEFAULT_CONFIG_FILE
  const text = readOptionalOwnFileOrUsageError(file)
  if (text === null && given !== undefined)
    throw configError(`The file '${file}' does not exist.`, 'Create it, or omit --config.')
  const values =
    text === null ? {} : checkConfig(parseConfig(text, file), `'${file}' is not a valid configuration`)
  const names = Object.keys(CONFIG.properties).filter((name) => flags[name] !== undefined)
  const own = Object.fromEntries(names.map((name) => [name, flags[name]]))
  return checkConfig({ ...values, ...own }, 'Invalid flags')
}

/** Returns the path of the configuration file, or of another file that most apps have. */
export function findAppFile(flags: FlagValues): string {
  const usual = [DEFAULT_CONFIG_FILE, 'package.json', 'pyproject.toml', 'requirements.txt']
  return findFlagText(flags['config']) ?? usual.find((name) => existsSync(name)) ?? DEFAULT_CONFIG_FILE
}

function parseConfig(text: string, file: string): object {
  const value = parseJson(text)
  if (value === undefined) throw createJsonError(`'${file}'`, text, { hint: EXAMPLE })
  if (isJsonObject(value)) return value
  throw configError(`'${file}' contains no JSON object: ${text.trim().slice(0, 40)}`, EXAMPLE)
}

function checkConfig(values: object, problem: string): GradeConfig {
  const { valid, errors } = checkAgainstSchema(values, CONFIG)
  if (valid !== null) return valid
  const { message } = combineErrors(errors, CONFIG)
  const keys = Object.keys(CONFIG.properties).join(', ')
  throw configError(`${problem}: ${message}`, `The keys are ${keys}. ${EXAMPLE}`)
}

const EXAMPLE = 'For instance: { "access": "/access?customer={customer}", "paid": "/paid/{customer}" }'

function configError(message: string, hint: string): UsageError {
  return new UsageError('file_invalid', message, { param: 'config', hint })
}

/** Returns the classes of `--only` (default: all). */
export function readGradeClasses(text: string | undefined): readonly GradeClass[] {
  const all = Object.keys(GRADE_CLASSES) as GradeClass[]
  if (text === undefined) return all
  const given = text.split(',')
  // A unique prefix of a name selects a class too.
  const named = given.map((word) => all.filter((one) => word !== '' && one.startsWith(word)))
  const unknown = given.find((_, index) => named[index]?.length !== 1)
  if (unknown === undefined) return all.filter((one) => named.flat().includes(one))
  throw new UsageError('flag_invalid', `Invalid --only '${unknown}': expected one of ${all.join(', ')}.`, {
    param: 'only',
    hint: 'Separate several classes with commas, without spaces.',
  })
}

/** Returns the ids of the findings in an earlier JSON report. */
export function readBaselineFindingIds(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set()
  const text = readOptionalOwnFileOrUsageError(file)
  const report = parseJson(text ?? '')
  const classes = isJsonObject(report) && report['object'] === 'grade' ? report['classes'] : null
  if (Array.isArray(classes))
    return new Set(classes.flatMap(({ findings = [] }) => findings.map(({ id }: { id: string }) => id)))
  const problem = text === null ? 'does not exist' : 'is not a JSON report of paycli grade'
  throw new UsageError('file_invalid', `The file '${file}' ${problem}.`, {
    param: 'baseline',
    hint: 'Write one: paycli grade --json > grade.json',
  })
}
