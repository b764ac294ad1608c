import type { Runtime } from '../../engine/runtime.ts'
import type { LoadSandboxName } from '../../webhooks/delivery-attempts.ts'

/** Creates a function that resolves with the name of a sandbox, or its id without a name; undefined for the default sandbox. */
export function createSandboxNameLoader({
  registry,
  sandboxes,
}: Pick<Runtime, 'registry' | 'sandboxes'>): LoadSandboxName | undefined {
  if (registry === undefined || sandboxes === undefined) return undefined
  const { current } = sandboxes
  // Read for each delivery, because another process may have changed the name.
  return async () => (await registry.store.get('sandboxes', current))?.name ?? current
}
