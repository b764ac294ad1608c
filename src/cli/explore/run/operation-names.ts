import { operations } from '../../../api/api.ts'

/** The routes of the operations. Fixed paths precede paths with an id. */
const ROUTES = operations
  .map(({ wireName: name, operation: { method, path } }) => ({
    ...{ name, method, hasId: path.includes(':id') },
    pattern: new RegExp(`^${path.replaceAll(':id', '[^/]*')}$`),
  }))
  .sort((a, b) => Number(a.hasId) - Number(b.hasId))

/** Returns the operation of a request, such as `payment_sessions.create`, else its method and path. */
export function getOperationName(method: string, url: string): string {
  const path = url.replace(/\?.*$/s, '')
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(path))
  return route?.name ?? `${method} ${path}`
}
