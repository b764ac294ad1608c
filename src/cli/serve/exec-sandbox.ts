import { ApiError } from '../../client/api-error.ts'
import { createClient } from '../../client/client.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { createSandbox, type SandboxHandle } from '../../client/create-sandbox.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { errorMessage } from '../errors/error-fields.ts'
import { holdSignals, runCommand } from '../fixtures/child-command.ts'
import { printNote, renderText } from '../output/output.ts'
import { type FlagValues, stringValue } from '../parse/params.ts'
import { type ConnectionConfig, readConfig } from '../service/config.ts'
import { startProcessGuard } from '../service/process-guard.ts'
import { toShellExitCode } from '../service/processes.ts'
import { toEnvironmentVariables } from './env-file.ts'

/** Ends a sandbox that was not deleted, because the machine or this process was killed. */
const LIFETIME_SECONDS = 86_400

/**
 * Runs a command in a new sandbox of the running server, deletes the sandbox, and resolves with the exit code of the
 * command. `flags` select the server, and `--from` what the sandbox is copied from.
 */
export async function runInSandbox(
  command: readonly string[],
  flags: FlagValues,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const signals = holdSignals()
  const config = readConfig(flags, env)
  const sandbox = await openSandbox(config, stringValue(flags['from']))
  const guard = startProcessGuard(...deletion(sandbox.id, config, env))
  try {
    const commandEnv = { ...env, ...NO_SELECTION, ...variablesOf(sandbox) }
    const signal = signals.first()
    // After a signal during the creation, the command must not run.
    return signal === null
      ? await runCommand(command, commandEnv, guard.watch)
      : toShellExitCode(null, signal)
  } finally {
    // The command has ended, so another ^C means that the deletion takes too long. The guard then repeats it.
    signals.onNext(() => process.exit())
    await deleteSandbox(sandbox)
    guard.release()
  }
}

// The address and the key select the sandbox. A profile or another sandbox must not.
const NO_SELECTION = { PAYCLI_PROFILE: '', PAYCLI_SANDBOX: '' }

async function openSandbox(config: ConnectionConfig, from: string | undefined): Promise<SandboxHandle> {
  const now = await createClient(config)
    .now()
    .catch((error: unknown) => {
      if (!(error instanceof ConnectionError) || error.code !== 'connection_refused') throw error
      const hint = 'Start one: paycli serve. Without --sandbox, exec starts a temporary server.'
      throw new AnnotatedError(error, { hint })
    })
  const options = { ...config, name: 'paycli exec', from, expiresAt: now + LIFETIME_SECONDS }
  return createSandbox({ ...options, storage: 'memory' }).catch((error: unknown) => {
    // Servers that share a PostgreSQL database have only durable sandboxes.
    if (error instanceof ApiError && error.error.param === 'storage') return createSandbox(options)
    throw error
  })
}

function variablesOf({ apiBase, apiKey, checkoutUrl, webhookSecret }: SandboxHandle) {
  return toEnvironmentVariables({
    ...{ api_url: apiBase, api_key: apiKey },
    ...{ checkout_url: checkoutUrl, webhook_secret: webhookSecret },
  })
}

/** Returns the command that deletes a sandbox, and its environment. Other users can read the arguments, so they have no key. */
function deletion(
  id: string,
  { apiBase, apiKey = '' }: ConnectionConfig,
  env: NodeJS.ProcessEnv,
): [cleanup: string[], env: NodeJS.ProcessEnv] {
  const [, script = ''] = process.argv
  const cleanup = [process.execPath, script, 'delete', `/v1/sandboxes/${id}`]
  return [cleanup, { ...env, ...NO_SELECTION, PAYCLI_API_BASE: apiBase, PAYCLI_API_KEY: apiKey }]
}

// A failed deletion must not replace the exit code of the command.
async function deleteSandbox(sandbox: SandboxHandle): Promise<void> {
  try {
    await sandbox.delete()
  } catch (error) {
    const note = `The sandbox ${sandbox.id} was not deleted. It expires within a day. ${errorMessage(error)}`
    printNote(renderText(note))
  }
}
