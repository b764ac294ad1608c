import { UsageError } from '../errors/usage-error.ts'
import {
  type CustomerLedgers,
  findExplainingEntry,
  getLedgerValue,
  LEDGER_COLUMNS,
  type LedgerColumn,
  listMonthNames,
  MONTH_END_STATE_COLUMNS,
} from './customer-ledgers.ts'

/** A value of the app that differs from the value of the server. */
export interface ReconciliationDifference {
  readonly customer: string
  readonly month: string
  readonly column: LedgerColumn
  readonly expected: number
  readonly actual: number
  /** The object whose timeline explains the difference; null without an event. */
  readonly object: string | null
}

/** Customers that differ in some columns, and the features that they have in common. */
export interface DifferenceGroup {
  readonly columns: readonly LedgerColumn[]
  readonly customers: number
  /** One or two features; empty if the customers have none in common. */
  readonly features: readonly string[]
  /** The number of the differing customers with these features. */
  readonly covered: number
  /** The number of customers with these features that do not differ. */
  readonly others: number
}

/** The result of a reconciliation. */
export interface ReconciliationResult {
  readonly columns: readonly LedgerColumn[]
  readonly customers: number
  readonly differing: number
  /** The number of customers of the app that are not part of the simulation. */
  readonly unknown: number
  readonly groups: readonly DifferenceGroup[]
  readonly differences: readonly ReconciliationDifference[]
}

/** The accounting records of an app. */
interface AppLedgers {
  readonly columns: readonly LedgerColumn[]
  /** The values by customer and month. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, AppRow>>
}

type AppRow = Readonly<Partial<Record<LedgerColumn, number>>>

/**
 * Compares the accounting records of the app with the event log. A missing row counts as 0 in every column. Outside the
 * simulated months, credit and access are not compared, because the app may print them up to today.
 */
export function reconcile(ledgers: CustomerLedgers, app: AppLedgers, months: number): ReconciliationResult {
  const known = listMonthNames(months)
  const differences = [...ledgers].flatMap(([customer, ledger]) => {
    const rows = app.rows.get(customer)
    return [...new Set([...known, ...(rows?.keys() ?? [])])].sort().flatMap((month) =>
      app.columns.flatMap((column): ReconciliationDifference[] => {
        const isKnown = known.includes(month)
        if (!isKnown && MONTH_END_STATE_COLUMNS.has(column)) return []
        const expected = isKnown ? getLedgerValue(ledger, column, month) : 0
        const actual = rows?.get(month)?.[column] ?? 0
        if (actual === expected) return []
        const object = findExplainingEntry(ledger, column, month)?.object ?? null
        return [{ customer, month, column, expected, actual, object }]
      }),
    )
  })
  return {
    ...{
      columns: app.columns,
      customers: ledgers.size,
      differences,
      groups: groupDifferences(ledgers, differences),
    },
    differing: new Set(differences.map(({ customer }) => customer)).size,
    unknown: [...app.rows.keys()].filter((customer) => !ledgers.has(customer)).length,
  }
}

/**
 * Returns the groups of differences by column. All customers of a group share its features, and as few other customers as
 * possible have them. Columns with the same features are one group.
 */
export function groupDifferences(
  ledgers: CustomerLedgers,
  differences: readonly ReconciliationDifference[],
): readonly DifferenceGroup[] {
  const groups = new Map<string, DifferenceGroup & { readonly ids: ReadonlySet<string> }>()
  for (const column of LEDGER_COLUMNS) {
    const own = differences
      .filter((difference) => difference.column === column)
      .map(({ customer }) => customer)
    if (own.length === 0) continue
    const features = findCommonFeatures(ledgers, new Set(own))
    const key = features.join()
    const before = groups.get(key)
    const ids = new Set([...own, ...(before?.ids ?? [])])
    const { missed, others } = rate(ledgers, ids, features)
    groups.set(key, {
      ...{ columns: [...(before?.columns ?? []), column], customers: ids.size, ids, features },
      ...{ covered: ids.size - missed, others },
    })
  }
  return [...groups.values()].map(({ ids: _ids, ...group }) => group)
}

/**
 * Returns one or two features that all or most customers in `differing` have, and as few other customers as possible.
 */
function findCommonFeatures(ledgers: CustomerLedgers, differing: ReadonlySet<string>): readonly string[] {
  const all = new Set([...ledgers.values()].flatMap(({ features }) => [...features]))
  const rated = [...all].map((feature) => rate(ledgers, differing, [feature]))
  // A feature that all customers share cannot explain a difference.
  const useful = rated.filter(
    ({ missed, others }) => missed < differing.size && others < ledgers.size - differing.size,
  )
  const [best] = useful.toSorted((a, b) => a.missed - b.missed || a.others - b.others)
  if (best === undefined) return []
  if (best.missed > 0) {
    // No feature is common to all customers in `differing`, so prefer features that few other customers have.
    const [most = best] = useful.toSorted((a, b) => a.missed + a.others - b.missed - b.others)
    return most.missed * 2 < differing.size ? most.features : []
  }
  const covering = useful.filter(({ missed }) => missed === 0).flatMap(({ features }) => features)
  const pairs = covering
    .filter((feature) => !best.features.includes(feature))
    .map((feature) => rate(ledgers, differing, [...best.features, feature]))
  const [pair] = pairs.toSorted((a, b) => a.others - b.others)
  // A second feature must exclude at least half of the other customers, or it would often be a coincidence.
  return pair !== undefined && best.others >= 2 && pair.others * 2 <= best.others
    ? pair.features
    : best.features
}

function rate(ledgers: CustomerLedgers, differing: ReadonlySet<string>, features: readonly string[]) {
  const having = [...ledgers].filter(([, ledger]) =>
    features.every((feature) => ledger.features.has(feature)),
  )
  const found = having.filter(([customer]) => differing.has(customer)).length
  return { features, missed: differing.size - found, others: having.length - found }
}

const FORMAT =
  'Print CSV whose first line is a header such as customer,month,paid,refunded,credit,tax,access; with --query, these are the columns, and the first row is line 2. Amounts are in minor units, and a month is YYYY-MM in UTC.'

function outputError(line: number, problem: string): UsageError {
  const message = `The accounting records of the app are not valid in line ${line}: ${problem}.`
  return new UsageError('output_invalid', message, { hint: FORMAT })
}

/** Parses the CSV that an app printed, or that was created from the rows of `--query`. */
export function parseAppLedger(output: string): AppLedgers {
  // No valid value contains a comma, and trim() also removes a byte order mark and the \r of a line end.
  const [head, ...others] = output
    .split('\n')
    .map((text, index) => ({ cells: text.split(',').map(unquote), line: index + 1 }))
    .filter(({ cells }) => cells.join('') !== '')
  if (head === undefined) throw outputError(1, 'it is empty, expected a header')
  const names = head.cells
  requireColumns(names, head.line)
  const columns = LEDGER_COLUMNS.filter((column) => names.includes(column))
  const rows = new Map<string, Map<string, AppRow>>()
  for (const { cells, line } of others) {
    if (cells.length !== names.length)
      throw outputError(line, `it has ${cells.length} values, expected ${names.length}`)
    const findCell = (name: string) => cells[names.indexOf(name)] ?? ''
    const [customer, month] = [findCell('customer'), findCell('month')]
    if (customer === '') throw outputError(line, 'customer is missing')
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
      throw outputError(line, `month is ${quote(month)}, expected YYYY-MM`)
    const months = rows.get(customer) ?? new Map<string, AppRow>()
    if (months.has(month)) throw outputError(line, `customer ${quote(customer)} has two rows for ${month}`)
    const values = columns.map((column) => [column, parseValue(column, findCell(column), line)])
    rows.set(customer, months.set(month, Object.fromEntries(values)))
  }
  return { columns, rows }
}

function requireColumns(names: readonly string[], line: number): void {
  for (const [index, name] of names.entries()) {
    if (!['customer', 'month', ...LEDGER_COLUMNS].includes(name))
      throw outputError(line, `the column ${quote(name)} is unknown`)
    if (names.indexOf(name) < index) throw outputError(line, `the header has the column '${name}' twice`)
  }
  const missing = ['customer', 'month'].find((name) => !names.includes(name))
  if (missing !== undefined) throw outputError(line, `the column '${missing}' is missing in the header`)
  if (names.length < 3) throw outputError(line, `expected one of the columns ${LEDGER_COLUMNS.join(', ')}`)
}

function unquote(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, '$1')
}

/** Returns the first characters of a text in quotation marks: the app may print anything. */
function quote(text: string): string {
  return text.length > 40 ? `'${text.slice(0, 40)}…'` : `'${text}'`
}

const ACCESS: Readonly<Record<string, number>> = {
  ...{ true: 1, t: 1, yes: 1, 1: 1 },
  ...{ false: 0, f: 0, no: 0, 0: 0, '': 0 },
}

function parseValue(column: LedgerColumn, text: string, line: number): number {
  if (column === 'access') {
    const value = ACCESS[text.toLowerCase()]
    if (typeof value !== 'number') throw outputError(line, `access is ${quote(text)}, expected true or false`)
    return value
  }
  if (/^(-?\d{1,15})?$/.test(text)) return Number(text)
  throw outputError(
    line,
    `${column} is ${quote(text)}, expected an integer in minor units, such as 1250 for 12.50 EUR`,
  )
}
