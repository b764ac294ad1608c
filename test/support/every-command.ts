import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './folders.ts'
import { ROOT } from './root.ts'

/** A command in the manifest. */
export interface ListedCommand {
  readonly id: string
  readonly args: Readonly<Record<string, { readonly required?: boolean }>>
  readonly flags: Readonly<Record<string, unknown>>
  readonly relativePath: readonly string[]
  readonly strict?: boolean
}

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
const all: ListedCommand[] = Object.values(commands)
/** Commands that need a server only for its webhook secret, or start one. */
const LOCAL: ReadonlySet<string> = new Set([
  'explore',
  'grade',
  'webhooks:check',
  'webhooks:sign',
  'webhooks:verify',
])
/** Commands that call a server. */
export const serviceCommands = all.filter(({ id, flags }) => 'api-base' in flags && !LOCAL.has(id))
/** Commands that call no server and take no arguments of another program. */
export const localCommands = all.filter(({ flags, strict }) => !('api-base' in flags) && strict !== false)

const scene = join(newFolder(), 'scene.json')
writeFileSync(scene, JSON.stringify({ fixtures: [{ path: '/v1/customers', params: {} }] }))

/** Required arguments of a command besides ids; a list where an argument, such as a path, may contain spaces. */
const WORDS: Readonly<Record<string, string | readonly string[]>> = {
  'card-sessions:complete': 'cd_sess_1 --card visa',
  'card-sessions:create': '--customer cus_1',
  'cards:list': 'cus_1',
  'cards:update': '--customer cus_1',
  'checkout:create': '--customer cus_1 --currency eur --item Rent:1000 --interval month',
  'checkout:complete': 'cks_1 --card visa',
  'clock:advance': 'clock_1 1mo',
  'coupons:create': '--percent-off 25',
  'promotion-codes:create': '--coupon coup_1',
  'customers:create': '--email ada@example.com',
  'events:wait': 'customer.created --timeout 1s',
  'invoice-items:create': '--subscription sub_1 --description Fee --unit-amount 500',
  'invoices:pay-as-customer': 'in_1 --card visa',
  'keys:create': '--name ci',
  'logs:tail': '',
  open: 'cks_1 --no-browser',
  'payments:create': '--customer cus_1 --currency eur --amount 1',
  'payments:dispute': 'py_1 --reason fraudulent',
  'payment-sessions:complete': 'py_sess_1 --card visa',
  'payment-sessions:create': '--customer cus_1 --currency eur --amount 1 --return-url https://example.com',
  'portal:create': '--customer cus_1',
  'receipts:download': 'py_1',
  'refunds:create': '--payment py_1',
  'subscriptions:pause': 'sub_1 --behavior void',
  'sandboxes:create': '--name ci',
  timeline: 'cus_1',
  upcoming: 'sub_1',
  trigger: 'payment_session.completed',
  wait: '--timeout 1s',
  'webhooks:endpoints:create': '--url http://127.0.0.1:9/hook',
  'webhooks:endpoints:recover': 'we_1 --since 1700000000',
  'faults:add': 'duplicate',
  'fixtures:run': [scene],
  'fixtures:record': [join(newFolder(), 'out.json'), '--', 'true'],
  'events:resend': 'evt_1',
  get: 'cus_1',
  post: 'cus_1',
  delete: 'cus_1',
}

function wordsOf({ id, args }: ListedCommand): string[] {
  const given = WORDS[id]
  const needed = Object.values(args)
    .filter(({ required }) => required)
    .map(() => 'x_1')
  const words = typeof given === 'string' ? given.split(' ').filter((word) => word !== '') : given
  return [...id.split(':'), ...(words ?? needed)]
}

/** Returns the arguments with extra flags, which go before the arguments of another program. */
export function withFlags(command: ListedCommand, ...flags: string[]): string[] {
  const words = wordsOf(command)
  const end = words.indexOf('--')
  return end === -1 ? [...words, ...flags] : words.toSpliced(end, 0, ...flags)
}

/** An environment with an empty home folder and without settings that name a server. */
export const isolatedEnv = { PAYCLI_HOME: newFolder(), PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }
