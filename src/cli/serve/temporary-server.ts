import { rm } from 'node:fs/promises'
import { type ProcessGuard, startProcessGuard } from '../service/process-guard.ts'
import { createTemporaryHome } from '../service/temporary-home.ts'
import { type ChildLocation, startChildDaemon } from './child-daemon.ts'

/** A server with a home folder of its own, which lasts until it is closed or this process ends. */
export interface TemporaryServer {
  readonly location: ChildLocation
  /** The environment of this process without the selection of another server. */
  readonly env: NodeJS.ProcessEnv
  /** Ends commands, and removes the home folder, when this process is killed. */
  readonly guard: ProcessGuard
  /** Kills the server immediately; for a server that takes too long to stop. */
  readonly kill: () => void
  /** Stops the server and removes its home folder. */
  readonly close: () => Promise<void>
}

/** Starts a temporary server with flags of `paycli serve`. */
export async function openTemporaryServer(serveFlags: readonly string[]): Promise<TemporaryServer> {
  const home = await createTemporaryHome()
  const guard = startProcessGuard(['rm', '-rf', '--', home])
  const removeHome = async () => {
    await rm(home, { recursive: true, force: true })
    guard.release()
  }
  const env = { ...process.env, PAYCLI_HOME: home, PAYCLI_PROFILE: '', PAYCLI_SANDBOX: '' }
  // The key of another server must not apply to this one.
  const serviceEnv = { ...env, PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }
  try {
    const { location, stop, kill } = await startChildDaemon(serveFlags, serviceEnv)
    const close = async () => {
      await stop()
      await removeHome()
    }
    return { location, env, guard, kill, close }
  } catch (error) {
    await removeHome()
    throw error
  }
}
