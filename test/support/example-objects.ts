import { operations } from '../../src/api/api.ts'
import type { AnyOperation } from '../../src/api/core/operation.ts'
import { EXAMPLE_IDS } from '../../src/api/operations/example-requests.ts'
import { RESOURCES } from '../../src/api/resources/catalog.ts'
import { assert } from './suite.ts'

/** Ids of objects in a sandbox, by resource. */
export type ObjectIds = Readonly<Record<string, string>>

/** Returns the example parameters of an operation, with ids of a sandbox instead of the ids in the API reference. */
export function exampleParams({ example = {} }: AnyOperation, ids: ObjectIds): object {
  const replaced = Object.entries(EXAMPLE_IDS).reduce(
    (text, [resource, id]) => text.replaceAll(id, ids[resource] ?? id),
    JSON.stringify(example),
  )
  return JSON.parse(replaced)
}

/** Operations on another object that create the objects of a resource. */
const CREATED_BY: Readonly<Record<string, string>> = { disputes: 'payments.dispute' }

/**
 * Creates the example object of each resource that has no id yet; returns the ids of all resources. Examples may refer
 * to resources that already have an id.
 */
export async function createMissing(
  call: (operation: AnyOperation, params: object) => Promise<unknown>,
  ids: ObjectIds,
): Promise<ObjectIds> {
  const all = { ...ids }
  for (const { name, idPrefix } of RESOURCES) {
    const wanted = CREATED_BY[name] ?? `${name}.create`
    const create = operations.find(({ wireName }) => wireName === wanted)?.operation
    if (create === undefined || name in all) continue
    assert.ok(create.example, `${wanted} has an example`)
    const [owner = ''] = wanted.split('.')
    const inPath = create.path.includes(':id') ? { id: all[owner] } : {}
    const { id } = Object(await call(create, { ...inPath, ...exampleParams(create, all) }))
    assert.ok(id.startsWith(idPrefix), `${id} begins with ${idPrefix}`)
    all[name] = id
  }
  return all
}
