import { nearestName } from '../api/spelling.ts'
import { type Fields, isFields } from '../client/fields.ts'
import { readParams } from './from-file.ts'
import type { Params } from './params.ts'
import { UsageError } from './usage-error.ts'

/** One request of a fixture file; later ones refer to its answer by its name. */
export interface FixtureStep {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly params: Params
  /** The status with which it is to be refused; unless given it is to go well. */
  readonly expect?: number
}

/** What a fixture file asks for. */
export interface Fixtures {
  readonly fixtures: readonly FixtureStep[]
  /** Environment variables, whose values may refer to steps. */
  readonly env: Readonly<Record<string, string>>
  /** What to ask for at the end, besides deleting what was made. */
  readonly teardown: readonly FixtureStep[]
}

const METHODS = ['GET', 'POST', 'DELETE'] as const
const MAX_STEPS = 10_000
const OF_FILES = ['fixtures', 'env', 'teardown']
const OF_STEPS = ['name', 'method', 'path', 'params', 'expect']

/** Reads fixture files as one, in their order; names are theirs together. */
export async function readFixtures(files: readonly string[]): Promise<Fixtures> {
  const read = await Promise.all(
    files.map(async (file) => fixturesIn(file, await readParams(file, { hint: SHAPE }))),
  )
  const names = new Set<string>()
  for (const { name } of read.flatMap(({ fixtures }) => fixtures)) {
    if (names.has(name)) throw wrong(`There are two steps called '${name}'`, 'Give each its own name.')
    names.add(name)
  }
  return {
    fixtures: read.flatMap(({ fixtures }) => fixtures),
    env: Object.assign({}, ...read.map(({ env }) => env)),
    teardown: read.flatMap(({ teardown }) => teardown),
  }
}

function fixturesIn(file: string, value: Params): Fixtures {
  requireNames(`'${file}'`, value, OF_FILES)
  const { fixtures, env = {}, teardown = [] } = value
  if (!Array.isArray(fixtures) || !Array.isArray(teardown) || fixtures.length > MAX_STEPS || !isFields(env))
    throw wrong(`'${file}' is no fixture file`, SHAPE)
  const variables = Object.entries(env).map(([name, text]) => [name, String(text)])
  return {
    fixtures: fixtures.map((step, index) => stepOf(step, { index, place: `of '${file}'` })),
    env: Object.fromEntries(variables),
    teardown: teardown.map((step, index) => stepOf(step, { index, place: `of "teardown" in '${file}'` })),
  }
}

const SHAPE = `Write {"fixtures":[{"name":"ada","path":"/v1/customers","params":{"email":"ada@example.com"}}],"env":{"ADA":"\${ada.id}"}}`

function isRefusal(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600
}

function stepOf(step: unknown, { index, place }: StepPlace): FixtureStep {
  const given = isFields(step) ? step : {}
  const told = `Step ${index + 1} ${place}`
  requireNames(told, given, OF_STEPS)
  const { name = `step${index + 1}`, method = 'POST', path, params = {}, expect } = given
  const found = METHODS.find((one) => one === String(method).toUpperCase())
  const isWhole = typeof path === 'string' && typeof name === 'string' && isFields(params)
  if (found === undefined || !isWhole || !(expect === undefined || isRefusal(expect)))
    throw wrong(`${told} has no path, or a method, params or expect of another kind`, SHAPE)
  return { name, method: found, path, params, ...(expect === undefined ? {} : { expect }) }
}

interface StepPlace {
  readonly index: number
  readonly place: string
}

// What a name that is not known was to do would not be done, and nobody would be told.
function requireNames(place: string, given: Fields, known: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name))
  if (stranger === undefined) return
  const meant = nearestName(stranger.toLowerCase(), known)
  const guess = meant === null ? '' : `Did you mean "${meant}"? `
  throw wrong(`${place} has "${stranger}", which is not known`, `${guess}There are: ${known.join(', ')}.`)
}

function wrong(problem: string, hint: string): UsageError {
  return new UsageError('file_invalid', `${problem}.`, { hint })
}
