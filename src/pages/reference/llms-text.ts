import type { ReferenceResponse } from './reference-layout.ts'

/** Returns a plain text document. */
export function createPlainTextResponse(body: string): ReferenceResponse {
  return {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body,
  }
}

/** Renders `/llms.txt`: instructions for programs and coding agents, with links to the documents of this server. */
export function createLlmsTextResponse(summary: string, apiUrl: string): ReferenceResponse {
  return createPlainTextResponse(`# paycli

> ${summary} API, hosted pages, signed webhooks and a command line on one machine. No real money moves.

This server: ${apiUrl}. Send the header \`Authorization: Bearer <key>\` with every request to \`/v1\`, and JSON bodies.
Amounts are integers in minor units: 1250 with eur is 12.50 EUR. Timestamps are Unix seconds.

## Documents

- [OpenAPI 3.1](${apiUrl}/openapi.json): every operation, object, event and error
- [Commands](${apiUrl}/docs/commands.txt): every command in one line, with examples of each topic
- [Guides and API reference](${apiUrl}/docs): the same contents for people, with test cards; search at ${apiUrl}/docs/search?q=3ds
- [Errors](${apiUrl}/docs/errors): the cause of every error code

## Command line

If paycli is not on the PATH, for example in a clone, run \`npx paycli\`. In a pipe, commands print JSON; \`--field <path>\` prints one value.
Commands find the server on this machine and its API key automatically.

- \`paycli help --json\`: every command with flags, examples and exit codes; \`paycli help payments --json\`: one topic or command
- \`paycli serve --memory\`: starts a server; \`paycli serve --detach\` in the background
- \`paycli status --field api_key\`: prints the API key
- \`paycli exec -- npm test\`: runs a command with a fresh server, whose address and key are in its environment

## Take a payment

\`\`\`sh
customer=$(paycli customers create --email ada@example.com --field id)
session=$(paycli payment-sessions create --customer "$customer" --amount 1250 --currency eur --return-url https://example.com --field id)
paycli payment-sessions complete "$session" --card visa
paycli payments list --session "$session"
\`\`\`

Subscriptions begin with \`paycli checkout create\`, change with \`paycli subscriptions update\` and recover with \`paycli cards update\`. Other cards decline or require 3-D Secure: see the API reference.

## Receive webhooks

- \`paycli listen --forward-to 3000/webhooks\`: forwards signed events to your handler
- \`paycli trigger invoice.payment_failed\`: causes an event
- \`paycli events wait invoice.paid --delivered\`: waits until every endpoint has accepted an event
- \`paycli webhooks check 3000/webhooks\`: tests a handler with difficult deliveries
`)
}
