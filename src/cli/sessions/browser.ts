import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { runWithTimeout } from '../../client/timing.ts'
import { UsageError } from '../errors/usage-error.ts'
import { printNote } from '../output/output.ts'

/** Maximum run time of a launcher without a browser. A launcher that runs longer is the browser itself. */
const LAUNCH_TIMEOUT_MS = 1000

/** Opens an http or https URL in the user's browser; resolves with false when there is no browser. */
export async function tryOpenInBrowser(url: string): Promise<boolean> {
  const protocol = URL.canParse(url) ? new URL(url).protocol : null
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new UsageError('url_invalid', `Cannot open '${url}': expected an http or https URL.`)
  }
  const { default: open } = await import('open')
  const launcher = await open(url).catch(() => null)
  if (launcher === null) return false
  const code =
    launcher.exitCode ?? (await runWithTimeout(LAUNCH_TIMEOUT_MS, (signal) => exitCodeOf(launcher, signal)))
  return code === null || code === 0
}

/**
 * Opens a page in the user's browser. Without a browser, prints a note. The note contains the address unless the
 * command prints the address anyway (`isPrinted`).
 */
export async function openInBrowserOrPrint(url: string, isPrinted = false): Promise<void> {
  const address = isPrinted ? 'Open the address yourself.' : `Open this address: ${url}`
  if (!(await tryOpenInBrowser(url))) printNote(`Cannot open a browser. ${address}`)
}

async function exitCodeOf(launcher: ChildProcess, signal: AbortSignal): Promise<number | null> {
  const [code] = await once(launcher, 'exit', { signal })
  return code
}
