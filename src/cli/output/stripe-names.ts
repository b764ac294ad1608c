import { getResource } from '../../api/resources/catalog.ts'
import { STRIPE_RESOURCES } from '../../api/resources/stripe-resources.ts'

const ITEM = "--item 'Monthly rent:100000:20:rent'"

/** The replacements of commands of Stripe's CLI; the first match applies. The reason explains the different name. */
const COMMANDS: readonly (readonly [pattern: RegExp, command: string, reason?: string])[] = [
  ...STRIPE_RESOURCES.map(([pattern, resource]) => [pattern, getResource(resource).topic] as const),
  [/^(?:test_helpers )?test_clocks?\b/, 'clock'],
  [/^(?:payment_methods?|sources?|tokens?)\b/, 'cards'],
  [/^cards (?:attach|create)\b/, 'cards update'],
  [/^(?:webhook_endpoints?|webhooks(?= (?:create|delete|list|ls|retrieve|update)\b))/, 'webhooks endpoints'],
  [
    /^payments create\b/,
    'payments create',
    'For a customer without a saved card: paycli payment-sessions create',
  ],
  [/^payments confirm\b/, 'payments authenticate', 'A payment is confirmed when it is created'],
  [/^invoices (\w+)_invoice\b/, 'invoices $1'],
  [/^invoices (?:upcoming|create_preview)\b/, 'subscriptions preview'],
  [/^invoices create\b/, 'invoice-items create', 'The next invoice of the subscription bills an item'],
  [/^(?:prices?|products?|plans?)\b.*/, 'checkout create', 'Prices are part of the items of a session'],
  [/^subscriptions? create\b/, 'checkout create', 'A completed checkout session creates the subscription'],
  [/^faults create\b/, 'faults add'],
  [/^log(?:in|out)\b/, 'serve', 'paycli needs no account, and commands find the key of the local server'],
  [/^(?:start|dev|up|boot)\b.*|^(?:run|server|service)(?: (?:start|serve|dev|server))?$/, 'serve'],
  [/^(?:init|install|setup|new|link|register|signup)\b.*/, 'serve', 'paycli needs no setup'],
  [/^(?:run|test|tests)\b.*/, 'exec'],
  [/^(?:kill|quit|shutdown|down|serve stop)$/, 'stop'],
  [/^(?:health|ping|ps|info|whoami)$/, 'status'],
  [/^(?:tail|events tail|logs tail|log)\b/, 'logs'],
  [/^(?:dashboard|ui|web|docs|browser)\b.*/, 'open'],
  [/^(?:pay|charge)$/, 'payment-sessions create'],
  [/^samples?\b.*/, 'demo'],
  [/^playback\b.*/, 'fixtures record'],
  [/^balance\w*\b.*/, 'stats'],
]

/** The replacements of flags of Stripe's CLI. Replacements with a flag apply only to commands with that flag. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  price: [ITEM],
  'line-items': [ITEM],
  items: [ITEM],
  amount: [`${ITEM}. For one payment, use paycli payment-sessions create`],
  item: ['--amount 1250. For a subscription, use paycli checkout create'],
  'success-url': ['--return-url https://example.com/return'],
  'cancel-url': ['--return-url https://example.com/return'],
  'unit-amount': ['--amount 1250'],
  'trial-period-days': ['--trial-days 14'],
  source: ['--payment-method pm_4bT9…', 'paycli cards update <customer>'],
  'payment-method': ['paycli cards update <customer>'],
  since: ['--created-gte 2026-01-31'],
  types: ['--events invoice.paid'],
  mode: ['paycli checkout create, payment-sessions create or card-sessions create'],
  'payment-intent': ['--payment py_4bT9…'],
  charge: ['--payment py_4bT9…'],
  'webhook-endpoint': ['--endpoint we_4bT9…'],
  'project-name': ['--profile staging'],
  type: ['--filter type=invoice.paid'],
  'at-period-end': ['paycli subscriptions update <id> --cancel-at-period-end'],
  quantity: ["--item 'Seat:1500:::3', or --item 'si_4bT9…:quantity=3' to change an item"],
  payload: ['--body event.json'],
  'print-json': ['--json'],
  output: ['--json or --field. On a terminal, the output is a table'],
  format: ['--json or --field. On a terminal, the output is a table'],
  'forward-connect-to': ['--forward-to 3000/webhooks'],
}
/** The flags of Stripe's CLI that no command needs. */
const OMITTED = [
  'confirm',
  'off-session',
  'live',
  'livemode',
  'load-from-webhooks-api',
  'expand',
  'stripe-account',
  'stripe-version',
  'api-version',
]

/** Returns the replacement of a command of Stripe's CLI, and the reason for the new name; null for other commands. */
export function findCommandForStripeCommand(
  words: readonly string[],
): { readonly words: readonly string[]; readonly reason: string | undefined } | null {
  const typed = words.join(' ').replaceAll('-', '_')
  let command = typed
  let reason: string | undefined
  for (const [pattern, name, why] of COMMANDS) {
    if (!pattern.test(command)) continue
    command = command.replace(pattern, name)
    reason = why
  }
  return command === typed ? null : { words: command.split(' '), reason }
}

/** Returns the replacement of a flag of Stripe's CLI in a command with some flags, as a sentence, or null. */
export function findFlagForStripeFlag(name: string, flags: readonly string[]): string | null {
  if (OMITTED.includes(name)) return `Omit --${name}.`
  const known = Object.entries(FLAGS)
    .find(([flag]) => flag === name)?.[1]
    .find((text) => !text.startsWith('--') || flags.includes(text.slice(2).split(' ')[0] ?? ''))
  return known === undefined ? null : `For --${name}, use ${known}.`
}
