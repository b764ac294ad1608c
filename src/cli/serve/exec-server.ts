import { rm } from 'node:fs/promises'
import { holdSignals, runCommand } from '../fixtures/child-command.ts'
import { startProcessGuard } from '../service/process-guard.ts'
import { toShellExitCode } from '../service/processes.ts'
import { createTemporaryHome } from '../service/temporary-home.ts'
import { startChildDaemon } from './child-daemon.ts'
import { toEnvironmentVariables } from './env-file.ts'

/** Runs a command with a temporary server, stops the server, and resolves with the exit code of the command. */
export async function runWithTemporaryServer(
  serveFlags: readonly string[],
  command: readonly string[],
): Promise<number> {
  const signals = holdSignals()
  const home = await createTemporaryHome()
  const guard = startProcessGuard(['rm', '-rf', '--', home])
  const env = { ...process.env, PAYCLI_HOME: home, PAYCLI_PROFILE: '', PAYCLI_SANDBOX: '' }
  try {
    // The key of another server must not apply to this one.
    const serviceEnv = { ...env, PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }
    const daemon = await startChildDaemon(serveFlags, serviceEnv)
    try {
      // After a signal during the start, the command must not run.
      const signal = signals.first()
      const commandEnv = { ...env, ...toEnvironmentVariables(daemon.location) }
      return signal === null
        ? await runCommand(command, commandEnv, guard.watch)
        : toShellExitCode(null, signal)
    } finally {
      // The command has ended, so another ^C means that the stop takes too long.
      signals.onNext(daemon.kill)
      await daemon.stop()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
    guard.release()
  }
}
