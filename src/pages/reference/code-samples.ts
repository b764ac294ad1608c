import type { OpenApiOperation } from '../../api/openapi/openapi-paths.ts'
import { STREAMS_TAG } from '../../api/openapi/openapi-streams.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'

/** An operation with the method and the path of its request. */
export interface LocatedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

const STREAM_COMMANDS: Readonly<Record<string, string>> = {
  '/v1/stream': 'paycli events tail',
  '/v1/stream/request_logs': 'paycli logs tail',
}

/** Returns sample requests of an operation, each with the name of its program or language. */
export function createCodeSamples(located: LocatedOperation, apiUrl: string): [name: string, code: string][] {
  const { method, path, operation } = located
  const id = operation.parameters?.find((one) => 'name' in one && one.in === 'path')
  const exampleId = id !== undefined && 'example' in id ? (id.example ?? '') : ''
  const examplePath = path.replace('{id}', exampleId)
  const body = findBodyExample(operation)
  const isStream = operation.tags.includes(STREAMS_TAG)
  const command = isStream ? STREAM_COMMANDS[path] : createCommand(method, examplePath, body)
  const params = { ...(exampleId === '' ? {} : { id: exampleId }), ...body }
  const call = `await client.call(${operation.operationId}, ${JSON.stringify(params, null, 2)})`
  return [
    ...(command === undefined ? [] : [['paycli', command] as [string, string]]),
    ['curl', createCurl(method, apiUrl + examplePath, body)],
    ...(isStream ? [] : [['TypeScript', call] as [string, string]]),
  ]
}

/** Returns the example body of an operation; undefined for an operation without a body. */
export function findBodyExample(operation: OpenApiOperation): object | undefined {
  return operation.requestBody?.content['application/json']?.example
}

function createCommand(method: string, path: string, body: object | undefined): string {
  const command = `paycli ${method} ${path}`
  if (body === undefined) return command
  return `${command} --from-file - <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`
}

function createCurl(method: string, url: string, body: object | undefined): string {
  const lines = [`curl -X ${method.toUpperCase()} ${url}`, '-H "Authorization: Bearer $PAYCLI_API_KEY"']
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(body, null, 2))}`)
  }
  return lines.join(' \\\n  ')
}
