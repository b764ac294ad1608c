import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { withinMs } from '../../client/pause.ts'
import { UsageError } from '../errors/usage-error.ts'
import { printNote, renderText } from '../output/output.ts'

/** A launcher that finds no browser ends within this; one that is still there is the browser. */
const LAUNCH_LIMIT_MS = 1000

/** Starts the user's browser with a page; resolves with whether there was one, and refuses what is no http or https address. */
export async function startBrowser(url: string): Promise<boolean> {
  const protocol = URL.canParse(url) ? new URL(url).protocol : null
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new UsageError('url_invalid', `'${url}' is no web address, so it is not opened.`)
  }
  const { default: open } = await import('open')
  const launcher = await open(url).catch(() => null)
  if (launcher === null) return false
  const code = launcher.exitCode ?? (await withinMs(LAUNCH_LIMIT_MS, (signal) => endOf(launcher, signal)))
  return code === null || code === 0
}

/** Opens a page in the user's browser; where there is none, tells people the address and goes on. */
export async function openInBrowser(url: string): Promise<void> {
  if (!(await startBrowser(url)))
    printNote(renderText(`No browser could be opened. Open this address: ${url}`))
}

async function endOf(launcher: ChildProcess, signal: AbortSignal): Promise<number | null> {
  const [code] = await once(launcher, 'exit', { signal })
  return code
}
