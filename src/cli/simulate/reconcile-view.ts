import { wrapHanging } from '../output/text-layout.ts'
import { createPlainCell, formatTable } from '../views/table.ts'
import type { ViewOptions } from '../views/view-options.ts'
import type { LedgerColumn } from './customer-ledgers.ts'
import type { DifferenceGroup, ReconciliationDifference, ReconciliationResult } from './reconcile.ts'

/** The number of differences that are listed one by one. */
const MAX_LISTED = 10

/** Formats a reconciliation: the common features of the differing customers, then the first differences. */
export function formatReconciliation(
  result: ReconciliationResult,
  view: Pick<ViewOptions, 'style' | 'width'>,
): string {
  const { groups, differences, customers, differing, unknown, columns } = result
  const count = customers.toLocaleString('en')
  const unknownNote = unknown === 0 ? [] : [`Ignored customers that are not in this simulation: ${unknown}.`]
  const title = view.style.bold('Reconciliation')
  if (differing === 0)
    return `${[title, `No differences: ${count} customers, ${columns.join(', ')}.`, ...unknownNote].join('\n')}\n`
  const shown = differences.slice(0, MAX_LISTED)
  const rest = differences.length - shown.length
  const lines = [
    title,
    ...groups.flatMap((group) => wrapHanging('- ', describeDifferenceGroup(group, count), view.width)),
    ...unknownNote,
    '',
    ...formatTable(differenceColumns(shown), { bold: view.style.bold, width: view.width }).lines,
    ...(rest === 0 ? [] : [`… and ${rest.toLocaleString('en')} more differences: use --json.`]),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns a sentence such as `14 of 1,000 customers differ in refunded: all with a partial refund.` */
export function describeDifferenceGroup(group: DifferenceGroup, customers: string): string {
  const { columns, features, covered, others } = group
  const start = `${group.customers} of ${customers} customers ${group.customers === 1 ? 'differs' : 'differ'} in ${columns.join(', ')}`
  if (features.length === 0) return `${start}, without a common property.`
  const share = covered === group.customers ? 'all' : `${covered} of them`
  const also = ['No other customer has this.', 'One other customer has this too.'][others]
  return `${start}: ${share} with ${features.join(' and ')}. ${also ?? `${others} other customers have this too.`}`
}

function differenceColumns(differences: readonly ReconciliationDifference[]) {
  const column = (
    heading: string,
    toText: (difference: ReconciliationDifference) => string,
    isRightAligned = false,
  ) => ({
    ...{
      heading,
      isRightAligned,
      cells: differences.map((difference) => createPlainCell(toText(difference))),
    },
  })
  const formatValue = (name: LedgerColumn, value: number) =>
    name === 'access' ? String(value === 1) : String(value)
  return [
    column('customer', ({ customer }) => customer),
    column('month', ({ month }) => month),
    column('value', ({ column: name }) => name),
    column('service', ({ column: name, expected }) => formatValue(name, expected), true),
    column('app', ({ column: name, actual }) => formatValue(name, actual), true),
    column('timeline of', ({ object }) => object ?? '-'),
  ]
}
