import { type ChildProcess, fork } from 'node:child_process'
import type { Roles } from './roles.ts'

const CALL_LIMIT_MS = 300_000
const STARTED = 0

interface RoleRequest {
  readonly id: number
  readonly name: string
  readonly given: readonly unknown[]
}

interface RoleResponse {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

type Command = (...given: never[]) => unknown

/** The commands that a role offers to the parent process. */
export type Commands = Readonly<Record<string, Command>>

/** A child process that runs one role. */
export interface RoleProcess<C> {
  /** Calls a command and resolves with its result; rejects after five minutes. */
  call<K extends keyof C & string>(name: K, ...given: ParametersOf<C[K]>): Promise<ResultOf<C[K]>>
  /** Kills the process with SIGKILL; resolves when it has ended. */
  kill(): Promise<void>
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>
}

type ParametersOf<F> = F extends (...given: infer P) => unknown ? P : never
type ResultOf<F> = F extends (...given: never[]) => infer R ? Awaited<R> : never

export interface RoleProcessOptions {
  /** Flags for Node, such as `--expose-gc`. */
  readonly flags?: readonly string[]
}

const running = new Set<ChildProcess>()

/**
 * Starts a process that runs a role, and resolves when it is ready. The role process ends no later than this process.
 */
export async function startRole<R extends keyof Roles>(
  role: R,
  options: Parameters<Roles[R]>[0],
  { flags = [] }: RoleProcessOptions = {},
): Promise<RoleProcess<Awaited<ReturnType<Roles[R]>>>> {
  const [, script = ''] = process.argv
  const child = fork(script, ['as', role, JSON.stringify(options)], { execArgv: [...flags] })
  running.add(child)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.once('exit', (code, signal) => {
    running.delete(child)
    const error = new Error(`the ${role} process ended (${signal ?? code})`)
    for (const one of waiting.values()) one.reject(error)
  })
  child.on('message', ({ id, value, error }: RoleResponse) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(value)
    else one?.reject(new Error(`${role}: ${error}`))
  })
  const kill = () => {
    child.kill('SIGKILL')
    return gone
  }
  let calls = STARTED
  const answerTo = (id: number) => answered({ id, role, waiting, kill })
  await answerTo(STARTED).catch(async (error: unknown) => {
    // A role that failed may keep connections open, such as those of a daemon to PostgreSQL.
    await kill()
    throw error
  })
  return {
    call(name, ...given) {
      calls += 1
      const request: RoleRequest = { id: calls, name, given }
      const answer = answerTo(calls)
      // A figure that failed no longer awaits its other calls.
      answer.catch(() => {})
      child.send(request)
      return answer as never
    },
    kill,
    gone,
  }
}

function answered({
  id,
  role,
  waiting,
  kill,
}: {
  readonly id: number
  readonly role: string
  readonly waiting: Map<number, PromiseWithResolvers<unknown>>
  readonly kill: () => Promise<void>
}): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>()
  waiting.set(id, answer)
  const timer = setTimeout(() => {
    answer.reject(new Error(`the ${role} process gave no answer within ${CALL_LIMIT_MS} ms`))
    kill()
  }, CALL_LIMIT_MS)
  return answer.promise.finally(() => clearTimeout(timer))
}

/** Kills every role process that still runs. */
export function killRoles(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Runs a role in this process until the parent process ends. */
export async function runRole(open: (options: never) => Promise<Commands>, options: string): Promise<void> {
  process.once('disconnect', () => process.exit())
  const answer = (one: RoleResponse) => process.send?.(one)
  try {
    const commands = await open(JSON.parse(options) as never)
    process.on('message', async ({ id, name, given }: RoleRequest) => {
      try {
        answer({ id, value: await (commands[name] as (...all: readonly unknown[]) => unknown)(...given) })
      } catch (error) {
        answer({ id, error: describe(error) })
      }
    })
    answer({ id: STARTED })
  } catch (error) {
    answer({ id: STARTED, error: describe(error) })
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
