import type { AnyOperation } from './operation.ts'

/** The parts of a request that contain parameters, for an operation or a stream route. */
export interface UnparsedParams {
  readonly operation: Pick<AnyOperation, 'method' | 'nulls' | 'params'>
  /** The `:id` of the path; undefined for a path without an id. */
  readonly id: string | undefined
  /** The query string without its question mark. */
  readonly search: string
  /** The parsed JSON body; undefined for a request without a body. */
  readonly body: unknown
  /**
   * Called with the unknown parameters, which are then ignored. Without this function, unknown parameters are errors.
   */
  readonly onIgnored?: (params: readonly string[]) => void
}

/** The `Idempotency-Key` header of a request. */
export interface IdempotencyHeader {
  /** The value of the `Idempotency-Key` header. */
  readonly value: string
  /** Requests share idempotency keys only within this scope; see `AuthenticatedKey`. */
  readonly scope: string
  /** The base URL of `doc_url` in stored error responses. */
  readonly apiUrl: string
}

/** A request to one operation. */
export interface OperationRequest extends UnparsedParams {
  readonly operation: AnyOperation
  readonly requestId: string
  /** Whether the request has a secret key, which may read every object. */
  readonly isSecretKey: boolean
  /** Executes the request once per idempotency key; undefined for a request without a key. */
  readonly idempotencyHeader?: IdempotencyHeader | undefined
  /** Returns whether the client has disconnected; undefined for a cheap operation, which is never canceled. */
  readonly isDisconnected?: () => boolean
}
