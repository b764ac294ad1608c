import type { SandboxHandle } from '../../client/create-sandbox.ts'
import { getErrorMessage } from '../errors/error-fields.ts'
import { interceptSignals, runChildCommand } from '../fixtures/child-command.ts'
import { printNote } from '../output/output.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'
import { resolveConnectionConfig } from '../service/config.ts'
import { toShellExitCode } from '../service/processes.ts'
import { toEnvironmentVariables } from './env-file.ts'
import {
  CLEARED_SELECTION_ENV,
  createTemporarySandbox,
  getSandboxPath,
  startSandboxWatchdog,
} from './temporary-sandbox.ts'

/** The lifetime of a sandbox that was not deleted, for example because this process was killed. */
const LIFETIME_SECONDS = 86_400

export interface RunInTemporarySandboxOptions {
  readonly command: readonly string[]
  /** The flags that select the server, and `--from`, which selects the source of the copy. */
  readonly flags: FlagValues
  readonly env: NodeJS.ProcessEnv
  /** The time of this machine in Unix seconds. */
  readonly now: number
}

/** Runs a command in a new sandbox of the running server, deletes the sandbox, and resolves with the exit code of the command. */
export async function runInTemporarySandbox({
  command,
  flags,
  env,
  now,
}: RunInTemporarySandboxOptions): Promise<number> {
  const signals = interceptSignals()
  const config = resolveConnectionConfig(flags, env)
  const sandbox = await createTemporarySandbox(config, {
    ...{ name: 'paycli exec', from: findFlagText(flags['from']), now, lifetimeSeconds: LIFETIME_SECONDS },
    missingServerHint: 'Start one: paycli serve. Without --sandbox, exec starts a temporary server.',
  })
  // The guard starts before the command, because this process may be killed as soon as the command runs.
  const guard = startSandboxWatchdog(config, env)
  guard.setObjects([getSandboxPath(sandbox.id)])
  try {
    const commandEnv = { ...env, ...CLEARED_SELECTION_ENV, ...variablesOf(sandbox) }
    const signal = signals.first()
    // After a signal during the creation, the command must not run.
    return signal === null
      ? await runChildCommand(command, commandEnv, guard.watch)
      : toShellExitCode(null, signal)
  } finally {
    // The command has ended, so another ^C means that the deletion takes too long. The guard then repeats the deletion.
    signals.onNext(() => process.exit())
    await deleteSandbox(sandbox)
    guard.release()
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
    const note = `The sandbox ${sandbox.id} was not deleted. It expires within a day. ${getErrorMessage(error)}`
    printNote(note)
  }
}
