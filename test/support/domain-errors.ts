import { isSameJson } from '../../src/engine/invariants/snapshot.ts'
import { type CaughtError, catchDomainError, createSandbox, type Sandbox } from './sandbox.ts'
import { assert, type suite } from './suite.ts'

type Called = Parameters<Sandbox['send']>[0]

/** A valid request, which each row of the table makes invalid. */
export interface ValidRequest {
  readonly id?: string
  readonly body?: object
}

export interface DomainErrorTable {
  readonly operation: Called
  /** Creates the objects that the request refers to. */
  readonly prepare: (sandbox: Sandbox) => Promise<ValidRequest>
  /**
   * Rows of three columns, separated by two or more spaces: the change of the valid body, the error code, and options. A
   * change is `path = JSON`, `path = generated value` such as `text(501)`, or `no path`. Options are `at path` when `param`
   * differs from the path, and `try name` for a suggestion.
   */
  readonly table: string
}

interface Row {
  readonly path: string
  readonly value: unknown
  readonly code: string
  readonly param: string
  readonly suggestion: string | null
}

/** Generated values. */
const MADE_UP: Readonly<Record<string, (count: number) => unknown>> = {
  text: (count) => 'x'.repeat(count),
  email: (count) => `${'x'.repeat(count - '@example.com'.length)}@example.com`,
  url: (count) => `https://example.com/${'x'.repeat(count - 'https://example.com/'.length)}`,
  keys: (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'])),
  key: (count) => ({ ['k'.repeat(count)]: 'v' }),
  entry: (count) => ({ k: 'v'.repeat(count) }),
  cards: (count) => Array.from({ length: count }, () => 'card'),
  stars: (count) => Array.from({ length: count }, () => '*'),
  items: (count) => Array.from({ length: count }, () => ({ description: 'x', price_data: { amount: 1 } })),
}

/** Adds a test per row: the error matches the table, its message is a sentence, and the store does not change. */
export function testDomainErrors(
  test: ReturnType<typeof suite>,
  { operation, prepare, table }: DomainErrorTable,
): void {
  for (const line of table.trim().split('\n')) {
    const row = parseRow(line.trim())
    test(`${line.trim().replace(/ {2,}/g, ' → ')}`, async () => {
      const sandbox = createSandbox()
      const { body = {}, ...taken } = await prepare(sandbox)
      const before = await sandbox.snapshot()
      const request = { ...taken, body: changed(body, row) }
      const refused = await catchDomainError(sandbox.send(operation, request))
      const { code, param, suggestion, errors } = refused
      assert.equal({ code, param, suggestion }, pick(row))
      assert.equal(errors[0], { code, param, message: refused.message })
      checkMessage(refused, row)
      assert.ok(isSameJson(await sandbox.snapshot(), before), 'the store changed')
    })
  }
}

function parseRow(line: string): Row {
  const [where = '', code = '', more = ''] = line.split(/ {2,}/)
  const [, path = '', text = ''] = /^(?:no )?(\S+)(?: = (.*))?$/.exec(where) ?? []
  const [, maker = '', count] = /^(\w+)\((\d+)\)$/.exec(text) ?? []
  const given = MADE_UP[maker]?.(Number(count))
  const value = where.startsWith('no ') ? undefined : (given ?? JSON.parse(text))
  const [, param = path] = /\bat (\S+)/.exec(more) ?? []
  const [, suggestion = null] = /\btry (\S+)/.exec(more) ?? []
  return { path, value, code, param, suggestion }
}

function pick({ code, param, suggestion }: Row) {
  return { code, param, suggestion }
}

/** Returns the body with the value at a bracket path set or removed. */
function changed(body: object, { path, value }: Row): object {
  const steps = path.split(/[[\]]+/).filter((step) => step !== '')
  const copy = structuredClone(body)
  let place: Record<string, unknown> = copy as Record<string, unknown>
  for (const step of steps.slice(0, -1)) place = place[step] as Record<string, unknown>
  const last = steps.at(-1) ?? ''
  if (value === undefined) delete place[last]
  else place[last] = value
  return copy
}

const LONGEST_MESSAGE_CHARACTERS = 2000

/** Asserts that a message is a sentence that names the parameter and, if the value is short and harmless, the value. */
function checkMessage({ message, code }: CaughtError, { param, value }: Row): void {
  assert.match(message, /^\S.*[.?]$/s, 'not a sentence')
  assert.ok(message.length <= LONGEST_MESSAGE_CHARACTERS, `${message.length} characters long`)
  if (OF_CARDS.test(code) || code === 'parameters_exclusive') return
  const says = (text: string) => message.toLowerCase().includes(text.toLowerCase())
  const name = param.split(/[[\]]+/).findLast((step) => /[a-z]/.test(step)) ?? param
  assert.ok(says(name) || NAMED_BY_VALUE.has(code), `does not name ${name}: ${message}`)
  const isPlain = typeof value === 'string' && /^[ -~]{1,20}$/.test(value)
  const isNamed = (isPlain || typeof value === 'number') && !UNNAMED.has(code)
  if (isNamed) assert.ok(says(String(value)), `does not name ${value}: ${message}`)
}

/** Errors shown to cardholders: they use words, and never repeat the input. */
const OF_CARDS =
  /^(card_number_missing|incorrect_number|invalid_expiry_month|invalid_expiry_year|invalid_cvc)$/

/** Errors that name the value and not the parameter. */
const NAMED_BY_VALUE = new Set(['resource_missing', 'event_type_unknown'])

/** Errors about the name of a parameter. */
const UNNAMED = new Set(['parameter_unknown', 'parameter_missing'])
