import { webhookEndpoints } from '../../../api/index.ts'
import { createSandbox, type SandboxHandle } from '../../../client/create-sandbox.ts'
import { isLoopbackHost } from '../../../domain/text/loopback-hosts.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { type FlagValues, findFlagText } from '../../parse/params.ts'
import {
  createTemporarySandbox,
  getSandboxPath,
  startSandboxWatchdog,
} from '../../serve/temporary-sandbox.ts'
import { startTemporaryServer } from '../../serve/temporary-server.ts'
import { resolveConnectionConfig } from '../../service/config.ts'

/** The lifetime of a sandbox that was not deleted, because the machine was switched off or explore was killed. */
const LIFETIME_SECONDS = 3600

export interface RunSandboxSourceOptions {
  /**
   * The flags of `paycli explore`: `sandbox` or `from` selects the running server, whose address and key other flags
   * may set.
   */
  readonly flags: FlagValues
  readonly env: NodeJS.ProcessEnv
  readonly nowMs: () => number
}

async function startServer({ nowMs }: RunSandboxSourceOptions) {
  const { location, guard, close } = await startTemporaryServer(['--memory', '--port', '0'])
  const { api_url: apiBase, api_key: apiKey } = location
  const openSandbox = () =>
    createSandbox({ apiBase, apiKey, expiresAt: Math.floor(nowMs() / 1000) + LIFETIME_SECONDS })
  return { openSandbox, guard, close }
}

function useRunningServer({ flags, env, nowMs }: RunSandboxSourceOptions) {
  const config = resolveConnectionConfig(flags, env)
  requireLocal(config.apiBase)
  const guard = startSandboxWatchdog(config, env)
  const open = new Set<string>()
  const report = () => guard.setObjects([...open].map(getSandboxPath))
  return {
    guard,
    async openSandbox() {
      const sandbox = await createTemporarySandbox(config, {
        ...{ name: 'paycli explore', from: findFlagText(flags['from']), lifetimeSeconds: LIFETIME_SECONDS },
        now: Math.floor(nowMs() / 1000),
        missingServerHint: 'Start one: paycli serve. Without --sandbox, explore starts a temporary server.',
      })
      open.add(sandbox.id)
      report()
      const deleteSandbox = async () => {
        await sandbox.delete()
        open.delete(sandbox.id)
        report()
      }
      return { ...sandbox, delete: deleteSandbox }
    },
    async close() {
      // The guard repeats failed deletions. Release the guard if all sandboxes were deleted.
      if (open.size === 0) guard.release()
    },
  }
}

function requireLocal(apiBase: string): void {
  if (isLoopbackHost(new URL(apiBase).hostname)) return
  throw new UsageError('flag_invalid', `The server ${apiBase} is not on this machine.`, {
    param: 'sandbox',
    hint: 'Webhooks must reach the app through explore. Omit --sandbox and --from to use a temporary server.',
  })
}

export type RunSandboxSource = Awaited<ReturnType<typeof openRunSandboxSource>>

/** A sandbox for one run, with the number of the run and the webhook endpoint, which is null without webhooks. */
export type RunSandbox = Awaited<ReturnType<RunSandboxSource['take']>>

/**
 * Starts a temporary server, or uses the running server with `--sandbox` and `--from`. The URL of the webhook endpoint
 * of a sandbox is `webhookBase` and the number of the run; null without webhooks.
 */
export async function openRunSandboxSource(options: RunSandboxSourceOptions, webhookBase: string | null) {
  const { flags } = options
  const isRunning = flags['sandbox'] === true || flags['from'] !== undefined
  const server = isRunning ? useRunningServer(options) : await startServer(options)
  const deletions = new Set<Promise<void>>()
  let runs = 0
  let prepared: ReturnType<typeof open> | null = null

  async function open() {
    runs += 1
    const number = runs
    const handle = await server.openSandbox()
    if (webhookBase === null) return { handle, number, endpoint: null }
    const params = { url: `${webhookBase}${number}`, description: 'paycli explore' }
    const endpoint = await handle.client.call(webhookEndpoints.create, params)
    return { handle, number, endpoint }
  }

  /** Deletes a sandbox without waiting for the deletion. */
  function discard({ handle }: { readonly handle: SandboxHandle }): void {
    const deletion = handle.delete().finally(() => deletions.delete(deletion))
    // A sandbox that cannot be deleted expires.
    deletion.catch(() => {})
    deletions.add(deletion)
  }

  return {
    /** Resolves with a new sandbox. */
    take() {
      const taken = prepared ?? open()
      prepared = null
      return taken
    },
    /** Starts to create the sandbox of the next run. */
    prepare() {
      prepared ??= open()
      // Ignore the error here, because `take()` rejects with the same error.
      prepared.catch(() => {})
    },
    discard,
    watch: server.guard.watch,
    /** Deletes all sandboxes and stops a temporary server. */
    async close() {
      await prepared?.then(discard, () => {})
      await Promise.allSettled(deletions)
      await server.close()
    },
  }
}
