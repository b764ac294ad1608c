import { rm } from 'node:fs/promises'
import { startCleanupWatchdog } from '../service/cleanup-watchdog.ts'
import { createTemporaryHome } from '../service/temporary-home.ts'
import { startChildServer } from './child-server.ts'

/**
 * Starts a server with flags of `paycli serve` and a new home folder. The server runs until it is closed or this
 * process ends.
 */
export async function startTemporaryServer(serveFlags: readonly string[]) {
  const home = await createTemporaryHome()
  /** Guard that ends commands and removes the home folder when this process is killed. */
  const guard = startCleanupWatchdog(['rm', '-rf', '--', home])
  const removeHome = async () => {
    await rm(home, { recursive: true, force: true })
    guard.release()
  }
  /** The environment of this process without the selection of another server. */
  const env: NodeJS.ProcessEnv = { ...process.env, PAYCLI_HOME: home, PAYCLI_PROFILE: '', PAYCLI_SANDBOX: '' }
  // Clear the key of another server, which must not apply to this server.
  const serviceEnv = { ...env, PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }
  try {
    const { stop, ...daemon } = await startChildServer(serveFlags, serviceEnv)
    /** Stops the server and removes its home folder. */
    const close = async () => {
      await stop()
      await removeHome()
    }
    return { ...daemon, env, guard, close }
  } catch (error) {
    await removeHome()
    throw error
  }
}
