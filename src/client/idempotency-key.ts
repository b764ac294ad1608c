/** A key no other call has: a random UUID of version 4, as RFC 9562 describes it. */
export function newIdempotencyKey(): string {
  return process.getBuiltinModule('node:crypto').randomUUID()
}
