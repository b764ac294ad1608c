import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import { loadAll } from '../../engine/load-related.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

/**
 * Finds the next deadline of each durable sandbox, so that its due jobs run without a request. After a clean stop, the
 * summary of each sandbox contains its deadline. After a crash, opens the sandboxes without a summary, one after
 * another; those without due jobs are closed again at once. Ends early when `isStopped` returns true.
 */
export async function findDeadlines(
  { default: main, opened, sleeping, hasExpired, find, sleep, recall }: SandboxRegistry,
  { isStopped, onError }: { readonly isStopped: () => boolean; readonly onError: (error: unknown) => void },
): Promise<void> {
  const active = await loadAll(main.runtime.store, 'sandboxes', { where: { status: 'active' } })
  const isUnknown = ({ id, storage }: Sandbox) =>
    storage === 'durable' && opened(id) === undefined && sleeping(id) === undefined
  const unknown: Sandbox[] = []
  for (const sandbox of active) {
    if (isStopped()) return
    if (isUnknown(sandbox) && !(await recall(sandbox).catch(() => false))) unknown.push(sandbox)
  }
  for (const sandbox of unknown) {
    if (isStopped()) return
    const isExpired = hasExpired(sandbox.id, main.runtime.wallNow())
    if (isUnknown(sandbox) && !isExpired) await lookAt(sandbox.id).catch(onError)
  }

  async function lookAt(id: string): Promise<void> {
    const { jobs, requests } = await find(id)
    await jobs.tick()
    if (!requests.areRunning() && jobs.sleepsUntil() !== null) await sleep(id)
  }
}
