import type { AnyOperation } from './core/operation.ts'
import * as groups from './index.ts'
import { REPORTS, RESOURCES } from './resources/catalog.ts'

/** The operations of every resource and report by client name, in the order of `catalog.ts`. */
export const api = Object.fromEntries(
  [...RESOURCES, ...REPORTS].map(({ name }) => [groupName(name), operationsOf(name)]),
) as typeof groups

interface NamedOperation {
  /** The name of the operation in the client, such as `paymentSessions.create`. */
  readonly name: string
  /** The name of the operation in faults, such as `payment_sessions.create`. */
  readonly wireName: string
  readonly operation: AnyOperation
}

/** Every operation with its names. */
export const operations: readonly NamedOperation[] = Object.entries(api).flatMap(([group, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => {
    const name = `${group}.${verb}`
    return { name, wireName: toSnakeCase(name), operation }
  }),
)

/** Returns the operation of a request, or undefined. A fixed path precedes a path with an id. */
export function findOperation(method: string, path: string): NamedOperation | undefined {
  const matches = operations.filter(
    ({ operation }) =>
      operation.method === method && new RegExp(`^${operation.path.replaceAll(':id', '[^/]*')}$`).test(path),
  )
  return matches.find(({ operation }) => !operation.path.includes(':id')) ?? matches[0]
}

/** Returns the snake_case form of a name in camelCase. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

// Returns the client name of a resource, such as `checkoutSessions` for `checkout_sessions`.
function groupName(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function operationsOf(name: string): object {
  const group = Object.entries(groups).find(([key]) => key === groupName(name))
  if (group === undefined) throw new Error(`src/api/index.ts exports no operations of ${name}`)
  return group[1]
}
