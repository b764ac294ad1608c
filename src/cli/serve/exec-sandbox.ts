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
import { type ProcessGuard, startProcessGuard } from '../service/process-guard.ts'
import { toShellExitCode } from '../service/processes.ts'
import { toEnvironmentVariables } from './env-file.ts'

/** Ends a sandbox that was not deleted, because the machine or this process was killed. */
const LIFETIME_SECONDS = 86_400

export interface SandboxRun {
  readonly command: readonly string[]
  /** The flags that select the server, and `--from`, which selects what the sandbox is copied from. */
  readonly flags: FlagValues
  readonly env: NodeJS.ProcessEnv
  /** The time of this machine in Unix seconds. */
  readonly now: number
}

/** Runs a command in a new sandbox of the running server, deletes the sandbox, and resolves with the exit code of the command. */
export async function runInSandbox({ command, flags, env, now }: SandboxRun): Promise<number> {
  const signals = holdSignals()
  const config = readConfig(flags, env)
  const sandbox = await openSandbox(config, stringValue(flags['from']), now)
  const guards: ProcessGuard[] = []
  // Started after the command, because starting a process takes a few milliseconds.
  const watch = (target: number) => {
    const guard = startProcessGuard(...deletion(sandbox.id, config, env))
    guard.watch(target)
    guards.push(guard)
  }
  try {
    const commandEnv = { ...env, ...NO_SELECTION, ...variablesOf(sandbox) }
    const signal = signals.first()
    // After a signal during the creation, the command must not run.
    return signal === null ? await runCommand(command, commandEnv, watch) : toShellExitCode(null, signal)
  } finally {
    // The command has ended, so another ^C means that the deletion takes too long. The guard then repeats it.
    signals.onNext(() => process.exit())
    await deleteSandbox(sandbox)
    for (const guard of guards) guard.release()
  }
}

// The address and the key select the sandbox. A profile or another sandbox must not.
const NO_SELECTION = { PAYCLI_PROFILE: '', PAYCLI_SANDBOX: '' }

async function openSandbox(
  config: ConnectionConfig,
  from: string | undefined,
  now: number,
): Promise<SandboxHandle> {
  const options = { ...config, name: 'paycli exec', from }
  try {
    return await createSandbox({ ...options, storage: 'memory', expiresAt: now + LIFETIME_SECONDS })
  } catch (error) {
    const rejected = rejectedParams(error)
    const isTimeRejected = rejected.includes('expires_at')
    if (!isTimeRejected && !rejected.includes('storage')) throw explainMissingServer(error)
    // Servers that share a PostgreSQL database have only durable sandboxes.
    const storage = rejected.includes('storage') ? undefined : 'memory'
    // The clock of the server may differ, for instance with --freeze-time. Asking for it first would delay the command.
    const serverNow = isTimeRejected ? await createClient(config).now() : now
    return createSandbox({ ...options, storage, expiresAt: serverNow + LIFETIME_SECONDS })
  }
}

function rejectedParams(error: unknown): (string | null)[] {
  if (!(error instanceof ApiError)) return []
  const { param, errors } = error.error
  return [param, ...errors.map((one) => one.param)]
}

function explainMissingServer(error: unknown): unknown {
  if (!(error instanceof ConnectionError) || error.code !== 'connection_refused') return error
  const hint = 'Start one: paycli serve. Without --sandbox, exec starts a temporary server.'
  return new AnnotatedError(error, { hint })
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
