import type { Event } from '../../api/index.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type HandlerTestClient, isAccepted } from '../webhook-tools/handler-check.ts'

const NOUNS = 'webhooks webhook hooks hook events'.split(' ')
const OWNERS = 'paycli payments billing stripe'.split(' ')
const NAMES = [
  ...NOUNS,
  ...OWNERS.flatMap((owner) =>
    NOUNS.flatMap((noun) => [`${noun}/${owner}`, `${owner}/${noun}`, `${owner}-${noun}`]),
  ),
  ...['paycli', 'callback', 'notify', ''],
]

/** Common paths of webhook handlers, the most common first. */
const COMMON_PATHS: readonly string[] = NAMES.flatMap((name) => [`/${name}`, `/api/${name}`])
/** A path that no app has. An app that accepts webhooks at this path accepts every path. */
export const UNKNOWN_PATH = '/paycli-tries-a-path-that-no-app-has'

interface Probe {
  readonly path: string
  readonly status: number | null
  readonly rejectsForgery: boolean
}

/**
 * Returns the path of the webhook handler of an app, one of `candidates` or of the common paths. The handler accepts a
 * signed event, or responds with an error other than 404 and 405. Throws a UsageError without a handler.
 */
export async function findWebhookPath(
  appUrl: string,
  { secret, event }: { readonly secret: string; readonly event: Event },
  { sign, send }: HandlerTestClient,
  candidates: readonly string[] = [],
): Promise<string> {
  const probe = async (path: string): Promise<Probe> => {
    const request = sign(appUrl + path, secret, event)
    const response = await send(request)
    const isCandidate = isAccepted(response)
    const forged = isCandidate
      ? await send({ ...request, headers: withoutSignatures(request.headers) })
      : response
    return { path, status: response.http_status, rejectsForgery: isCandidate && !isAccepted(forged) }
  }
  const anywhere = await probe(UNKNOWN_PATH)
  const probes: Probe[] = []
  for (const path of new Set([...candidates, ...COMMON_PATHS])) {
    const found = await probe(path)
    // If the app responds at other paths but not at this path, this path belongs to a slow handler.
    if (found.rejectsForgery || (found.status === null && anywhere.status !== null)) return path
    probes.push(found)
    if (found.status === null) break
  }
  const isOther = ({ status }: Probe) => status !== null && status !== anywhere.status
  const accepted = probes.find((one) => isOther(one) && isAccepted({ http_status: one.status }))
  const rejecting = probes.find((one) => isOther(one) && ![404, 405].includes(one.status ?? 404))
  const found =
    accepted ?? rejecting ?? (isAccepted({ http_status: anywhere.status }) ? probes[0] : undefined)
  if (found !== undefined) return found.path
  throw new UsageError(
    'webhook_path_unknown',
    `The app has no webhook handler at ${COMMON_PATHS.length} common paths.`,
    {
      param: 'url',
      hint: 'Give the path of the handler: --url /path/of/the/handler, or "url" in the configuration.',
    },
  )
}

function withoutSignatures(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/signature/i.test(name)))
}
