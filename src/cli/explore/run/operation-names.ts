import { operations } from '../../../api/api.ts'

interface OperationRoute {
  readonly name: string
  readonly method: string
  readonly segments: readonly string[]
}

/** The operations, those with a fixed path before those with an id. */
const ROUTES: readonly OperationRoute[] = operations
  .map(({ wireName, operation: { method, path } }) => ({
    name: wireName,
    method,
    segments: path.split('/'),
  }))
  .sort((a, b) => Number(hasId(a)) - Number(hasId(b)))

function hasId({ segments }: OperationRoute): boolean {
  return segments.includes(':id')
}

/** Returns the operation of a request, such as `payment_sessions.create`, else its method and path. */
export function nameOperation(method: string, url: string): string {
  const path = url.replace(/\?.*$/s, '')
  const segments = path.split('/')
  const route = ROUTES.find(
    (one) =>
      one.method === method &&
      one.segments.length === segments.length &&
      one.segments.every((segment, index) => segment === ':id' || segment === segments[index]),
  )
  return route?.name ?? `${method} ${path}`
}
