import { timingSafeEqual } from 'node:crypto'
import { createSignatureHeaders } from './sign.ts'

/** A delivery as received; header names in lower case. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>
  /** A string is equivalent to its bytes in UTF-8. */
  readonly body: string | Uint8Array
}

export interface VerifyOptions {
  readonly secret: string
  /** The current time in Unix seconds. */
  readonly now: number
  /** Maximum difference between the signature time and `now`, in seconds. */
  readonly tolerance: number
}

/** Checks each signature scheme in the headers of a delivery and returns a message for each invalid scheme. */
export function findSignatureProblems(delivery: ReceivedDelivery, options: VerifyOptions): string[] {
  const { headers } = delivery
  const checks = [
    ...('webhook-signature' in headers ? [findStandardProblem] : []),
    ...('paycli-signature' in headers ? [findPaycliProblem] : []),
  ]
  if (checks.length === 0)
    return ['The signature is missing: expected webhook-signature or Paycli-Signature.']
  return checks.flatMap((findProblem) => findProblem(delivery, options) ?? [])
}

type FindProblem = (delivery: ReceivedDelivery, options: VerifyOptions) => string | null

const findStandardProblem: FindProblem = ({ headers, body }, { secret, now, tolerance }) => {
  const { 'webhook-id': id = '', 'webhook-timestamp': sentAt = '', 'webhook-signature': given = '' } = headers
  if (id === '' || sentAt === '') return 'webhook-id or webhook-timestamp is missing.'
  const expected = createSignatureHeaders({ id, secrets: [secret], body, timestamp: Number(sentAt) })
  if (!given.split(' ').some((one) => isSame(one, expected['webhook-signature'] ?? ''))) {
    return 'webhook-signature does not match: the secret, the body, the id or the timestamp differs from the signed one.'
  }
  return findAgeProblem('webhook-timestamp', Number(sentAt), { now, tolerance })
}

const findPaycliProblem: FindProblem = ({ headers, body }, { secret, now, tolerance }) => {
  const parts = (headers['paycli-signature'] ?? '').split(',').map((part) => part.trim())
  const sentAt = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  if (!/^\d{1,12}$/.test(sentAt)) return 'Paycli-Signature has no timestamp: expected t=<Unix seconds>.'
  const expected = createSignatureHeaders({ id: 'any', secrets: [secret], body, timestamp: Number(sentAt) })
  const signature = expected['Paycli-Signature']?.split(',')[1] ?? ''
  if (!parts.some((part) => isSame(part, signature))) {
    return 'Paycli-Signature does not match: the secret, the body or the timestamp differs from the signed one.'
  }
  return findAgeProblem('Paycli-Signature', Number(sentAt), { now, tolerance })
}

function findAgeProblem(
  header: string,
  sentAt: number,
  { now, tolerance }: Pick<VerifyOptions, 'now' | 'tolerance'>,
): string | null {
  const age = now - sentAt
  if (Math.abs(age) <= tolerance) return null
  const difference = age > 0 ? `${age} s ago` : `${-age} s in the future`
  return `${header} matches, but was signed ${difference}; the tolerance is ${tolerance} s.`
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
