import { RESOURCES, type ResourceName } from '../resources/catalog.ts'

/** Returns the only example id with a prefix, so that the examples of the reference refer to each other. */
export function getExampleId(prefix: string): string {
  return `${prefix}9s6XGDTqBxzVbPRyfNQG1aB2`
}

/** The example id of each resource. */
export const EXAMPLE_IDS = Object.fromEntries(
  RESOURCES.map(({ name, idPrefix }) => [name, getExampleId(idPrefix)]),
) as Readonly<Record<ResourceName, string>>

/** The time of the examples: 2026-01-01 UTC in Unix seconds. */
export const EXAMPLE_NOW = 1_767_225_600
