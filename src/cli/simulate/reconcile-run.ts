import type { Client } from '../../client/client.ts'
import { type DatabaseRow, readAppDatabase } from '../databases/app-database.ts'
import { UsageError } from '../errors/usage-error.ts'
import { createProcessGroups } from '../processes/process-groups.ts'
import { runShellCommand } from '../processes/shell-command.ts'
import { readCustomerLedgers } from './customer-ledgers.ts'
import { parseAppLedger, type ReconciliationResult, reconcile } from './reconcile.ts'
import type { SimulationResult } from './runner.ts'

const TIMEOUT_MS = 600_000

/** The source of the accounting records of the app: a shell command, or an SQL query of a database. */
export type LedgerSource = { readonly command: string } | { readonly database: string; readonly sql: string }

/** Resolves with the accounting records of the app as CSV. */
async function readOutput(source: LedgerSource, signal: AbortSignal): Promise<string> {
  if ('sql' in source) {
    const { database, sql } = source
    return toCsv(await readAppDatabase(database, ({ query }) => query(sql)))
  }
  const { command } = source
  const groups = createProcessGroups(() => {})
  const { problem, stdout, output } = await runShellCommand(command, {
    ...{ env: process.env, groups, timeoutMs: TIMEOUT_MS, signal },
  })
  if (problem === null) return stdout
  const message = `The command of --reconcile failed: ${problem}. ${output.trim().slice(-500)}`.trim()
  throw new UsageError('command_failed', message, { param: 'reconcile' })
}

function toCsv(rows: readonly DatabaseRow[]): string {
  const [first] = rows
  if (first === undefined) return ''
  const lines = rows.map((row) => Object.values(row).map((value) => value ?? ''))
  return [Object.keys(first), ...lines].map((values) => values.join(',')).join('\n')
}

/** Reads the accounting records before the simulation. Throws for unreadable or invalid, but not for empty records. */
export async function validateLedgerSource(source: LedgerSource, signal: AbortSignal): Promise<void> {
  const output = await readOutput(source, signal)
  if (output.trim() !== '') parseAppLedger(output)
}

/** Reads the accounting records of the app and compares them with the event log. */
export async function runReconciliation(
  client: Client,
  { clock, customers, months }: SimulationResult,
  source: LedgerSource,
  signal: AbortSignal,
): Promise<ReconciliationResult> {
  const output = await readOutput(source, signal)
  const duplicated = customers.filter(({ hasDuplicate }) => hasDuplicate).map(({ id }) => id)
  return reconcile(await readCustomerLedgers(client, clock, duplicated), parseAppLedger(output), months)
}
