import { findNearestName } from '../src/api/schema/spelling.ts'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { isStdoutTerminal, printNote, writeTextToStdout } from '../src/cli/output/output.ts'
import { boolean, textArg } from '../src/cli/parse/flag-builders.ts'
import { addUnknownTargetHint, parseRequestTarget } from '../src/cli/request/object-paths.ts'
import { PAGE_URL_READERS } from '../src/cli/service/server-pages.ts'
import { openInBrowserOrPrint } from '../src/cli/sessions/browser.ts'
import { requireSessionUrl } from '../src/cli/sessions/session-url.ts'
import { getMaxPolls, waitFlags, waitForSessionEnd } from '../src/cli/sessions/session-wait.ts'
import { summarizeSession } from '../src/cli/views/result-summary.ts'
import { findFieldValue, findPageUrl } from '../src/presentation/field-values.ts'

const REFERENCE_NOTE =
  'For programs and coding agents: /llms.txt and /openapi.json at this address, and paycli help --json.'
const SESSION_PATH = /^\/v1\/(?:checkout|payment|card|portal)_sessions\/[^/]+$/
/** The payment fields that contain the id of a session or invoice. */
const OWNER_FIELDS = ['payment_session', 'checkout_session', 'invoice']

type Session = Parameters<typeof summarizeSession>[0]

interface Page {
  readonly url: string
  /** The session that the page shows, or null. */
  readonly session: Session | null
}

export default class Open extends BaseCommand {
  static override aliases = [
    'checkout:open',
    'payment-sessions:open',
    'card-sessions:open',
    'portal:open',
    'payments:open',
  ]
  static override summary = 'Open the page of an object, the reference or the dashboard'
  static override description =
    'Prints the address of the page. Also available as checkout open, payment-sessions open, card-sessions open and portal open.'
  static override args = {
    target: textArg({
      description:
        'Id of a session, invoice or payment, docs for the API reference, or dashboard (default: docs).',
    }),
  }
  static override flags = {
    browser: boolean({
      description: 'Open the page in the browser (default: true). With --no-browser, print only its address.',
      allowNo: true,
      default: true,
    }),
    ...waitFlags,
  }
  static override examples = toExamples([
    'docs',
    'dashboard',
    'cks_4bT9…',
    'py_sess_4bT9… --wait',
    'in_4bT9… --no-browser',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const [target] = words
    const word = target ?? 'docs'
    const serverPage = PAGE_URL_READERS.get(word)
    // The launcher sets the id to the alias that the user typed. Only `open` itself opens the API reference.
    if (target === undefined && Open.id.includes(':')) {
      throw new UsageError('argument_missing', 'The id of the session is missing.', {
        param: 'target',
        hint: 'Give an id such as cks_4bT9… or py_sess_4bT9…. For the API reference: paycli open docs',
      })
    }
    const page = findNearestName(word, [...PAGE_URL_READERS.keys()])
    if (serverPage === undefined && page !== null)
      throw new UsageError('argument_invalid', `Unknown page '${word}'.`, {
        hint: `Use: paycli open ${page}`,
      })
    const polls = getMaxPolls(flags['max-wait'])
    const { url, session } =
      serverPage === undefined ? await this.readPage(word) : { url: await serverPage(flags), session: null }
    if (word === 'docs' && isStdoutTerminal()) printNote(REFERENCE_NOTE)
    const isWaiting = flags['wait'] === true
    if (isWaiting && session === null) {
      throw new UsageError('flag_invalid', '--wait has no effect: only a session can be waited for.', {
        param: 'wait',
        hint: 'Omit --wait, or give the id of a session (cks_, py_sess_, cd_sess_).',
      })
    }
    if (!isWaiting) {
      if (flags['json'] === true || flags['field'] !== undefined) this.print(session ?? { url })
      else writeTextToStdout(`${url}\n`)
    }
    if (session !== null && session.status !== 'open')
      printNote(`This session is ${session.status}. Its page only shows that status.`)
    if (flags['browser'] === true) await openInBrowserOrPrint(url, !isWaiting && flags['field'] === undefined)
    if (!isWaiting || session === null) return
    const ended = await waitForSessionEnd(session, polls, (one) => this.retrieve(one) as Promise<Session>)
    this.print(ended, () => summarizeSession(ended))
  }

  private async readPage(id: string, isOwner = false): Promise<Page> {
    const object = await this.retrieve(id)
    if (SESSION_PATH.test(parseRequestTarget(id).path))
      return { url: requireSessionUrl(object), session: object as Session }
    const url = findPageUrl({ ...object })
    if (url !== null) return { url, session: null }
    const owner = isOwner ? undefined : findOwner(object)
    if (owner !== undefined) return this.readPage(owner, true)
    const approval = findFieldValue({ ...object }, 'next_action.redirect_to_url.url')
    if (typeof approval === 'string') return { url: approval, session: null }
    throw new UsageError('argument_invalid', `'${id}' has no page.`, {
      hint: 'Give the id of a session (cks_, py_sess_, cd_sess_, pt_sess_) or of a finalized invoice (in_).',
    })
  }

  private retrieve(id: string): Promise<object> {
    const { path } = parseRequestTarget(id)
    return addUnknownTargetHint(id, this.client().send({ method: 'GET', path }, {}))
  }
}

/** Returns the id of the session or invoice that a payment belongs to. */
function findOwner(object: object): string | undefined {
  const { object: type, ...fields }: Readonly<Record<string, unknown>> = { ...object }
  const owners = type === 'payment' ? OWNER_FIELDS.map((name) => fields[name]) : []
  return owners.find((value) => typeof value === 'string')
}
