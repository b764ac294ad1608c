import type { Client } from '../../client/client.ts'
import { UsageError } from '../errors/usage-error.ts'
import { createProcessGroups } from '../processes/process-groups.ts'
import { runShellCommand } from '../processes/shell-command.ts'
import { readBooks } from './books.ts'
import { parseAppBooks, type Reconciliation, reconcile } from './reconcile.ts'
import type { Simulation } from './runner.ts'

const TIMEOUT_MS = 600_000

/** Runs the command of `--reconcile`, and resolves with the books that it prints. */
async function readOutput(command: string, signal: AbortSignal): Promise<string> {
  const groups = createProcessGroups(() => {})
  const { problem, stdout, output } = await runShellCommand(command, {
    ...{ env: process.env, groups, timeoutMs: TIMEOUT_MS, signal },
  })
  if (problem === null) return stdout
  const message = `The command of --reconcile failed: ${problem}. ${output.trim().slice(-500)}`.trim()
  throw new UsageError('command_failed', message, { param: 'reconcile' })
}

/** Runs the command before the simulation. Throws if it fails or prints invalid books; it may print nothing. */
export async function checkReconcileCommand(command: string, signal: AbortSignal): Promise<void> {
  const output = await readOutput(command, signal)
  if (output.trim() !== '') parseAppBooks(output)
}

/** Runs the command of `--reconcile` and compares its output with the event log. */
export async function runReconciliation(
  client: Client,
  { clock, customers, months }: Simulation,
  command: string,
  signal: AbortSignal,
): Promise<Reconciliation> {
  const output = await readOutput(command, signal)
  const duplicated = customers.filter(({ hasDuplicate }) => hasDuplicate).map(({ id }) => id)
  return reconcile(await readBooks(client, clock, duplicated), output, months)
}
