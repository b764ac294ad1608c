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

/** Creates the example of each resource without an id; returns all ids. Examples refer to resources with an id. */
export async function createMissing(
  call: (operation: AnyOperation, params: object) => Promise<unknown>,
  ids: ObjectIds,
): Promise<ObjectIds> {
  const all = { ...ids }
  for (const { name, idPrefix } of RESOURCES) {
    const create = operations.find(({ wireName }) => wireName === `${name}.create`)?.operation
    if (create === undefined || name in all) continue
    assert.ok(create.example, `${name}.create has an example`)
    const { id } = Object(await call(create, exampleParams(create, all)))
    assert.ok(id.startsWith(idPrefix), `${id} begins with ${idPrefix}`)
    all[name] = id
  }
  return all
}
