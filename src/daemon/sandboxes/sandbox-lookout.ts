import type { Sandbox } from '../../domain/sandboxes.ts'
import { loadAll } from '../../engine/load-related.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

/**
 * Opens each durable sandbox whose next deadline is unknown, one after another, so that its due jobs run without a
 * request. Those without due jobs go back to sleep at once. Ends early when `isStopped` returns true.
 */
export async function findDeadlines(
  { default: main, opened, sleeping, find, sleep }: SandboxRegistry,
  { isStopped, onError }: { readonly isStopped: () => boolean; readonly onError: (error: unknown) => void },
): Promise<void> {
  const active = await loadAll(main.runtime.store, 'sandboxes', { where: { status: 'active' } })
  const isUnknown = ({ id, storage }: Sandbox) =>
    storage === 'durable' && opened(id) === undefined && sleeping(id) === undefined
  for (const sandbox of active) {
    if (isStopped()) return
    if (!isUnknown(sandbox)) continue
    await lookAt(sandbox.id).catch(onError)
  }

  async function lookAt(id: string): Promise<void> {
    const { jobs, requests } = await find(id)
    await jobs.tick()
    if (!requests.areRunning() && jobs.sleepsUntil() !== null) await sleep(id)
  }
}
