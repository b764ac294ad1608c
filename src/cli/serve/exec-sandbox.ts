import type { SandboxHandle } from '../../client/create-sandbox.ts'
import { errorMessage } from '../errors/error-fields.ts'
import { holdSignals, runCommand } from '../fixtures/child-command.ts'
import { escapeText, printNote } from '../output/output.ts'
import { type FlagValues, flagText } from '../parse/params.ts'
import { resolveConnectionConfig } from '../service/config.ts'
import type { ProcessGuard } from '../service/process-guard.ts'
import { toShellExitCode } from '../service/processes.ts'
import { toEnvironmentVariables } from './env-file.ts'
import {
  CLEARED_SELECTION_ENV,
  openTemporarySandbox,
  sandboxPath,
  startSandboxGuard,
} from './temporary-sandbox.ts'

/** The lifetime of a sandbox that was not deleted, because the machine or this process was killed. */
const LIFETIME_SECONDS = 86_400

export interface RunInSandboxOptions {
  readonly command: readonly string[]
  /** The flags that select the server, and `--from`, which selects the source of the copy. */
  readonly flags: FlagValues
  readonly env: NodeJS.ProcessEnv
  /** The time of this machine in Unix seconds. */
  readonly now: number
}

/** Runs a command in a new sandbox of the running server, deletes the sandbox, and resolves with the exit code of the command. */
export async function runInSandbox({ command, flags, env, now }: RunInSandboxOptions): Promise<number> {
  const signals = holdSignals()
  const config = resolveConnectionConfig(flags, env)
  const sandbox = await openTemporarySandbox(config, {
    ...{ name: 'paycli exec', from: flagText(flags['from']), now, lifetimeSeconds: LIFETIME_SECONDS },
    missingServerHint: 'Start one: paycli serve. Without --sandbox, exec starts a temporary server.',
  })
  const guards: ProcessGuard[] = []
  // The guard starts after the command, because starting a process takes a few milliseconds.
  const watch = (target: number) => {
    const guard = startSandboxGuard(config, env)
    guard.setObjects([sandboxPath(sandbox.id)])
    guard.watch(target)
    guards.push(guard)
  }
  try {
    const commandEnv = { ...env, ...CLEARED_SELECTION_ENV, ...variablesOf(sandbox) }
    const signal = signals.first()
    // After a signal during the creation, the command must not run.
    return signal === null ? await runCommand(command, commandEnv, watch) : toShellExitCode(null, signal)
  } finally {
    // The command has ended, so another ^C means that the deletion takes too long. The guard then repeats the deletion.
    signals.onNext(() => process.exit())
    await deleteSandbox(sandbox)
    for (const guard of guards) guard.release()
  }
}

function variablesOf({ apiBase, apiKey, checkoutUrl, webhookSecret }: SandboxHandle) {
  return toEnvironmentVariables({
    ...{ api_url: apiBase, api_key: apiKey },
    ...{ checkout_url: checkoutUrl, webhook_secret: webhookSecret },
  })
}

// A failed deletion must not replace the exit code of the command.
async function deleteSandbox(sandbox: SandboxHandle): Promise<void> {
  try {
    await sandbox.delete()
  } catch (error) {
    const note = `The sandbox ${sandbox.id} was not deleted. It expires within a day. ${errorMessage(error)}`
    printNote(escapeText(note))
  }
}
