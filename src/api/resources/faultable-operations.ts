import { REPORTS, RESOURCES } from './catalog.ts'

/** No fault applies to the operations of these resources, so that faults can always be examined and deleted. */
const WITHOUT_FAULTS: ReadonlySet<string> = new Set(['request_logs', 'faults', 'sandboxes'])

/** The names of the operations that can have faults, such as `payment_sessions.create`. */
export const FAULTABLE_OPERATIONS: readonly string[] = [
  ...RESOURCES.filter(({ name }) => !WITHOUT_FAULTS.has(name)),
  ...REPORTS.map(({ name }) => ({ name, operations: ['retrieve'] })),
].flatMap(({ name, operations }) => operations.map((operation) => `${name}.${operation}`))
