import type { Client } from 'pg'
import { REAL_TIME_QUEUE } from '../../../src/domain/schedule/deadlines.ts'
import { COLLECTION_NAMES, COLLECTION_RULES } from '../../../src/store/port/collections.ts'
import type { ListQuery, RangeFilter } from '../../../src/store/port/store.ts'
import { createBatchedGet } from '../../../src/store/postgres/batched-gets.ts'
import {
  createReader,
  createSandboxQuery,
  readNextDeadline,
} from '../../../src/store/postgres/postgres-reader.ts'

/** Sandboxes among which `fillRecords` distributes the records. */
const SANDBOXES = 20

/** A statement with its parameters. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Inserts `count` customers, events and invoices of 20 sandboxes, and collects statistics. */
export async function fillRecords(client: Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO records (sandbox, kind, id, place, created, record, key1, key2, key3, number1, due_queue, due_at, due_rank)
     SELECT 'sbx_' || n % ${SANDBOXES}, kind, kind || n, n, n / 10, '{}', 'a' || n % 1000, 'b' || n % 7, 'c' || n,
       CASE WHEN kind = 'customers' THEN NULL ELSE n / ${SANDBOXES} END,
       CASE WHEN kind = 'invoices' THEN CASE WHEN n % 9 = 0 THEN 'clock:' || n % 50 ELSE '${REAL_TIME_QUEUE}' END END,
       CASE WHEN kind = 'invoices' THEN n END, CASE WHEN kind = 'invoices' THEN 1 END
     FROM generate_series(1, ${count}) AS n,
       LATERAL (SELECT (ARRAY['customers', 'events', 'invoices'])[1 + (n / ${SANDBOXES}) % 3] AS kind) AS of_kind`,
  )
  await client.query('ANALYZE records')
}

/** Returns every form of a list, with and without cursors. */
function listQueries(filters: readonly string[], ranges: readonly string[]): ListQuery[] {
  const rangeOf = (field: string): RangeFilter => ({ field, gte: 5, lt: 10_000 })
  const forms: Omit<ListQuery, 'limit'>[] = [
    {},
    ...filters.flatMap((name) => [{ where: { [name]: 'a1' } }, { where: { [name]: ['a1', 'b2'] } }]),
    ...['created', ...ranges].map((field) => ({ ranges: [rangeOf(field)] })),
    ...filters.map((name) => ({ where: { [name]: 'a1' }, ranges: [rangeOf('created')] })),
  ]
  const cursors = [{}, { starting_after: 'invoices1' }, { ending_before: 'invoices1' }]
  return forms.flatMap((form) => cursors.map((cursor) => ({ ...form, ...cursor, limit: 11 })))
}

/** Returns the statements of every list and queue query of a sandbox. */
export async function captureQueries(sandbox: string): Promise<readonly SentStatement[]> {
  const sent: SentStatement[] = []
  const query = createSandboxQuery(async (text, values) => {
    sent.push({ text, values })
    return []
  }, sandbox)
  const reader = createReader(query, async () => 0)
  for (const name of COLLECTION_NAMES) {
    const { filters, ranges = [] } = COLLECTION_RULES[name]
    for (const listQuery of listQueries(Object.keys(filters), ranges)) await reader.list(name, listQuery)
  }
  await reader.get('customers', 'customers1')
  await createBatchedGet(query)('customers', 'customers1')
  await reader.listDue(REAL_TIME_QUEUE, 1000, 10)
  await reader.listOldest('events', 10, 'events1')
  await reader.count('counters')
  await readNextDeadline(query)
  return sent
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Total Cost': number
  readonly Disabled?: boolean
  readonly Plans?: readonly Plan[]
}

/** Returns a plan and all nested plans. */
function flattenPlan(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flattenPlan)]
}

/** Returns the nodes of the plan for any parameters, or for the given parameters. */
export async function explain(
  client: Client,
  text: string,
  values?: readonly unknown[],
): Promise<readonly Plan[]> {
  const option = values === undefined ? 'GENERIC_PLAN, ' : ''
  const { rows } = await client.query(`EXPLAIN (${option}FORMAT JSON) ${text}`, values && [...values])
  return flattenPlan(rows[0]['QUERY PLAN'][0].Plan)
}

/** Returns the scans of a plan that no index restricts to the sandbox. */
export function findUnrestrictedScans(plans: readonly Plan[]): readonly Plan[] {
  return plans.filter(
    (plan) =>
      (plan['Index Name'] !== undefined && !/\bsandbox = /.test(plan['Index Cond'] ?? '')) ||
      (plan['Relation Name'] !== undefined &&
        !/^(Index|Bitmap Heap|ModifyTable|Tid|LockRows)/.test(plan['Node Type'])),
  )
}
