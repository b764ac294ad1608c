import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { handlePrototype } from './failing-disk.ts'

type AsyncFunction = (...args: never[]) => Promise<unknown>

const FILE_FUNCTIONS = ['open', 'rename', 'rm', 'chmod'] as const
const HANDLE_METHODS = ['write', 'truncate', 'sync', 'datasync'] as const

/** Calls `onStep` before each disk operation of this process; returns a function that stops the calls. */
export async function watchDisk(onStep: (step: string) => void): Promise<() => void> {
  const prototype = await handlePrototype()
  const restored = [...watch(fs, FILE_FUNCTIONS, onStep), ...watch(prototype, HANDLE_METHODS, onStep)]
  syncBuiltinESMExports()
  return () => {
    for (const restore of restored) restore()
    syncBuiltinESMExports()
  }
}

function watch(owner: object, names: readonly string[], onStep: (step: string) => void): (() => void)[] {
  const own = owner as Record<string, AsyncFunction>
  return names.map((name) => {
    const original = own[name] as AsyncFunction
    own[name] = function step(this: unknown, ...args) {
      onStep(name)
      return original.apply(this, args)
    }
    return () => {
      own[name] = original
    }
  })
}
