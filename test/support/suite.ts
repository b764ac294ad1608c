import * as uvu from 'uvu'
import { atEndOfFile } from './end-of-file.ts'

export * as assert from 'uvu/assert'

/** Default time limit of a test or a hook, in milliseconds. */
export const TEST_TIMEOUT_MS = 60_000

type Context = Record<string, unknown>
type Test<T> = uvu.Test<T>
type Work<T> = uvu.Callback<T>

/** Suites that were created and not yet run. */
const waiting = new Set<{ name: string }>()

atEndOfFile(() => {
  for (const { name } of waiting) {
    process.stderr.write(`suite '${name}' never ran: call .run() on it\n`)
    process.exitCode = 1
  }
})

/** Functions to call after each suite. */
const endings: (() => Promise<void>)[] = []

/** Registers a function that runs after each suite, to close shared resources that would keep the process alive. */
export function afterEachSuite(end: () => Promise<void>): void {
  endings.push(end)
}

/** Functions that start and end the use of the resources of one test. */
interface TestScope {
  readonly enter: () => void
  readonly leave: () => Promise<void>
}

const scopes: TestScope[] = []
/** A test ends when the next test starts, because its hooks `after.each` may still use its resources. */
let state: 'outside' | 'inside' | 'ended' = 'outside'

/** Registers functions that run before and after each test, outside of its `before.each` and `after.each` hooks. */
export function aroundEachTest(scope: TestScope): void {
  scopes.push(scope)
}

async function leaveTest(): Promise<void> {
  if (state !== 'ended') return
  state = 'outside'
  for (const { leave } of scopes) await leave()
}

async function enterTest(): Promise<void> {
  await leaveTest()
  if (state === 'inside') return
  state = 'inside'
  for (const { enter } of scopes) enter()
}

function asError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(`threw a value that is not an Error: ${String(thrown)}`)
  // uvu expects `details` to be a string, and exits silently for any other value.
  const hasDetails = 'details' in thrown && typeof thrown.details === 'object'
  const { message, stack } = thrown
  return hasDetails ? Object.assign(new Error(message, { cause: thrown }), { stack }) : thrown
}

/**
 * Rejects with an Error that names the test when the work does not settle in time, and wraps other thrown values in an
 * Error.
 */
function bounded<T>(name: string, timeoutMs: number, work: Work<T>): Work<T> {
  return async (context) => {
    let stop = () => {}
    const never = new Promise<never>((_, reject) => {
      const late = () => reject(new Error(`'${name}' did not settle in ${timeoutMs} ms`))
      const idle = () => reject(new Error(`'${name}' never settles: nothing is left that could end it`))
      // The timer must not keep the process alive: without other work 'beforeExit' ends the wait immediately.
      const timer = setTimeout(late, timeoutMs).unref()
      process.once('beforeExit', idle)
      stop = () => {
        clearTimeout(timer)
        process.off('beforeExit', idle)
      }
    })
    try {
      await Promise.race([work(context), never])
    } catch (thrown) {
      throw asError(thrown)
    } finally {
      stop()
    }
  }
}

/** uvu does not print errors of hooks, so print them here. */
function spoken<T>(name: string, work: Work<T>): Work<T> {
  return async (context) => {
    try {
      await work(context)
    } catch (thrown) {
      process.stderr.write(`\n${name} failed: ${asError(thrown).stack}\n`)
      throw thrown
    }
  }
}

/**
 * Creates a uvu suite whose tests and hooks end within `timeoutMs`, whose hooks print their errors, and which fails the
 * process if it is never run.
 */
export function suite<T extends object = Context>(
  name: string,
  context?: T,
  timeoutMs: number = TEST_TIMEOUT_MS,
): Test<T> {
  const inner = uvu.suite<T>(name, context)
  const self = { name }
  waiting.add(self)
  const open = (title: string) => {
    if (!waiting.has(self)) throw new Error(`'${title}' comes after ${name}.run() and would never run`)
  }
  const hook = (kind: string, work: Work<T>) => {
    const title = `${kind} hook of '${name}'`
    return spoken(title, bounded(title, timeoutMs, work))
  }
  const scoped = (title: string, work: Work<T>) =>
    bounded<T>(title, timeoutMs, async (context) => {
      await enterTest()
      try {
        await work(context)
      } finally {
        state = 'ended'
      }
    })
  const test = (title: string, work: Work<T>) => {
    open(title)
    inner(title, scoped(title, work))
  }
  const outside = (kind: string, work: Work<T>) =>
    hook(kind, async (context) => {
      await leaveTest()
      await work(context)
    })
  const before = (work: Work<T>) => inner.before(outside('before', work))
  const after = (work: Work<T>) => inner.after(outside('after', work))
  const beforeEach = (work: Work<T>) =>
    hook('before.each', async (context) => {
      await enterTest()
      await work(context)
    })
  return Object.assign(test, {
    only: (title: string, work: Work<T>) => inner.only(title, scoped(title, work)),
    skip: inner.skip,
    before: Object.assign(before, {
      each: (work: Work<T>) => inner.before.each(beforeEach(work)),
    }),
    after: Object.assign(after, { each: (work: Work<T>) => inner.after.each(hook('after.each', work)) }),
    run: () => {
      waiting.delete(self)
      after(async () => {
        for (const end of endings) await end()
      })
      inner.run()
    },
  })
}
