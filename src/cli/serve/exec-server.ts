import { interceptSignals, runChildCommand } from '../fixtures/child-command.ts'
import { toShellExitCode } from '../service/processes.ts'
import { toEnvironmentVariables } from './env-file.ts'
import { startTemporaryServer } from './temporary-server.ts'

/** Runs a command with a temporary server, stops the server, and resolves with the exit code of the command. */
export async function runWithTemporaryServer(
  serveFlags: readonly string[],
  command: readonly string[],
): Promise<number> {
  const signals = interceptSignals()
  const server = await startTemporaryServer(serveFlags)
  try {
    // After a signal during the start, the command must not run.
    const signal = signals.first()
    const commandEnv = { ...server.env, ...toEnvironmentVariables(server.location) }
    return signal === null
      ? await runChildCommand(command, commandEnv, server.guard.watch)
      : toShellExitCode(null, signal)
  } finally {
    // The command has ended, so another ^C means that the stop takes too long.
    signals.onNext(server.kill)
    await server.close()
  }
}
