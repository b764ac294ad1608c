import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import type { OpenApiOperation, OpenApiPaths } from '../../api/openapi/openapi-paths.ts'
import { type IssuerBehavior, TEST_CARDS } from '../../domain/cards/test-cards.ts'

const STREAM_COMMANDS: Readonly<Record<string, string>> = {
  '/v1/stream': 'paycli events tail',
  '/v1/stream/request_logs': 'paycli logs tail',
}

/**
 * Returns the document that the reference at `/docs` shows: the OpenAPI document with command line examples, event types as
 * the titles of webhooks, and the test cards.
 */
export function createReferenceDocument(document: OpenApiDocument): object {
  const { info, paths, webhooks } = document
  return {
    ...document,
    info: { ...info, description: `${info.description}\n\n${ERRORS}\n\n${describeTestCards()}` },
    paths: mapOperations(paths, addCommand),
    webhooks: mapOperations(webhooks, ({ operation, path }) => ({
      ...operation,
      summary: path,
      description: `${operation.summary} ${operation.description}`,
    })),
  }
}

interface LocatedOperation {
  readonly method: string
  /** The path of an API operation, or the event type of a webhook. */
  readonly path: string
  readonly operation: OpenApiOperation
}

function mapOperations(paths: OpenApiPaths, change: (located: LocatedOperation) => object): object {
  const changed = Object.entries(paths).map(([path, methods]) => {
    const entries = Object.entries(methods)
    return [
      path,
      Object.fromEntries(entries.map(([method, operation]) => [method, change({ method, path, operation })])),
    ]
  })
  return Object.fromEntries(changed)
}

function addCommand(located: LocatedOperation): object {
  const source = createCommand(located)
  if (source === null) return located.operation
  return { ...located.operation, 'x-codeSamples': [{ lang: 'shell', label: 'paycli', source }] }
}

/** Returns the command that sends the request of an operation; null for streams that only listeners open. */
function createCommand({ method, path, operation }: LocatedOperation): string | null {
  if (path.startsWith('/v1/stream')) return STREAM_COMMANDS[path] ?? null
  const examples = (operation.parameters ?? []).flatMap((parameter) =>
    'name' in parameter && parameter.in === 'path' ? [parameter.example ?? ''] : [],
  )
  const command = `paycli ${method} ${path.replace('{id}', examples[0] ?? '')}`
  const body = operation.requestBody?.content['application/json']?.example
  if (body === undefined) return command
  return `${command} --from-file - <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`
}

const ERRORS = `# Errors

[The error reference](/docs/errors) has the cause of every error code. The \`doc_url\` of an error points to its entry.`

function describeTestCards(): string {
  const rows = TEST_CARDS.map(({ number, alias, onSession, offSession }) => {
    // The last result applies to every further attempt.
    const renewals = offSession.map(describeIssuer).join(', then ')
    return `| \`${number}\` | \`${alias}\` | ${describeIssuer(onSession)} | ${renewals} |`
  })
  return `# Test cards

Use any future expiry and any security code. Other card numbers are declined and not stored.

| Number | \`test_card\` | Customer present | Renewals |
|---|---|---|---|
${rows.join('\n')}`
}

function describeIssuer(issuer: IssuerBehavior): string {
  switch (issuer.kind) {
    case 'approve':
      return 'approved'
    case 'decline':
      return `\`${issuer.decline_code ?? issuer.code}\``
    case 'challenge':
      return `3-D Secure, then ${describeIssuer(issuer.next)}`
    case 'slow':
      return `approved after ${issuer.seconds} s`
    case 'alternate':
      return 'approved and declined in turn'
  }
}
