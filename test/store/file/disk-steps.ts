import fs, { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

type Work = (...given: never[]) => Promise<unknown>

const OF_FILES = ['open', 'rename', 'rm', 'chmod'] as const
const OF_HANDLES = ['write', 'truncate', 'sync', 'datasync'] as const

/**
 * Calls `onStep` before each step that this process takes on the disk, until the function it resolves with is called.
 */
export async function watchDisk(onStep: (step: string) => void): Promise<() => void> {
  const handle = await open(process.execPath)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const restored = [...watch(fs, OF_FILES, onStep), ...watch(prototype, OF_HANDLES, onStep)]
  syncBuiltinESMExports()
  return () => {
    for (const restore of restored) restore()
    syncBuiltinESMExports()
  }
}

function watch(owner: object, names: readonly string[], onStep: (step: string) => void): (() => void)[] {
  const own = owner as Record<string, Work>
  return names.map((name) => {
    const original = own[name] as Work
    own[name] = function step(this: unknown, ...given) {
      onStep(name)
      return original.apply(this, given)
    }
    return () => {
      own[name] = original
    }
  })
}
