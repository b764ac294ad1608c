import { ApiError } from '../../src/client/api-error.ts'

/** Creates an error response of the API, as the client reports it. */
export function createApiError(
  status: number,
  type: string,
  more: Partial<ApiError['error']> = {},
): ApiError {
  return new ApiError(status, {
    type,
    code: 'some_code',
    message: 'The request is invalid.',
    param: null,
    errors: [],
    suggestion: null,
    doc_url: null,
    request_id: 'req_1',
    decline_code: null,
    payment: null,
    ...more,
  })
}
