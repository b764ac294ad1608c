import type { AnyOperation } from './core/operation.ts'
import * as groups from './index.ts'
import { RESOURCES, type ResourceName } from './resources/catalog.ts'

type OperationGroups = typeof groups

/** The operations of every resource, by the name that clients use, in the order of the catalog. */
export const api = Object.fromEntries(
  RESOURCES.map(({ name }) => [groupName(name), operationsOf(name)]),
) as OperationGroups

/** Every operation with its name, such as `customers.create`. */
export const operations: readonly { readonly name: string; readonly operation: AnyOperation }[] =
  Object.entries(api).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ name: `${group}.${verb}`, operation })),
  )

// The group of `checkout_sessions` is `checkoutSessions`.
function groupName(name: ResourceName): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function operationsOf(name: ResourceName): object {
  const group = Object.entries(groups).find(([key]) => key === groupName(name))
  if (group === undefined) throw new Error(`src/api/index.ts exports no operations of ${name}`)
  return group[1]
}
