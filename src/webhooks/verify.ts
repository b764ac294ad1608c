import { timingSafeEqual } from 'node:crypto'
import { signatureHeaders } from './sign.ts'

/** A delivery as a receiver got it; header names in lower case. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Verifying {
  readonly secret: string
  /** Unix seconds. */
  readonly now: number
  /** How far the time of signing may be from now, in seconds. */
  readonly tolerance: number
}

/** What is wrong with the signatures of a delivery, of every family it carries; nothing when they are right. */
export function signatureProblems(delivery: ReceivedDelivery, verifying: Verifying): string[] {
  const { headers } = delivery
  const families = [
    ...('webhook-signature' in headers ? [standardProblem] : []),
    ...('paycli-signature' in headers ? [ownProblem] : []),
  ]
  if (families.length === 0) return ['There is no signature: neither webhook-signature nor Paycli-Signature.']
  return families.flatMap((problemOf) => problemOf(delivery, verifying) ?? [])
}

type Problem = (delivery: ReceivedDelivery, verifying: Verifying) => string | null

const standardProblem: Problem = ({ headers, body }, { secret, now, tolerance }) => {
  const { 'webhook-id': id = '', 'webhook-timestamp': sentAt = '', 'webhook-signature': given = '' } = headers
  if (id === '' || sentAt === '') return 'webhook-id or webhook-timestamp is missing.'
  const expected = signatureHeaders({ id, secrets: [secret], body, timestamp: Number(sentAt) })
  if (!given.split(' ').some((one) => isSame(one, expected['webhook-signature'] ?? ''))) {
    return 'webhook-signature does not match: another secret, another body, or another id or time than were signed.'
  }
  return ageProblem('webhook-timestamp', Number(sentAt), { now, tolerance })
}

const ownProblem: Problem = ({ headers, body }, { secret, now, tolerance }) => {
  const parts = (headers['paycli-signature'] ?? '').split(',').map((part) => part.trim())
  const sentAt = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  if (!/^\d{1,12}$/.test(sentAt)) return 'Paycli-Signature has no time: t=<Unix seconds>.'
  const expected = signatureHeaders({ id: 'any', secrets: [secret], body, timestamp: Number(sentAt) })
  const signature = expected['Paycli-Signature']?.split(',')[1] ?? ''
  if (!parts.some((part) => isSame(part, signature))) {
    return 'Paycli-Signature does not match: another secret, another body, or another time than was signed.'
  }
  return ageProblem('Paycli-Signature', Number(sentAt), { now, tolerance })
}

function ageProblem(
  header: string,
  sentAt: number,
  { now, tolerance }: Pick<Verifying, 'now' | 'tolerance'>,
): string | null {
  const age = now - sentAt
  if (Math.abs(age) <= tolerance) return null
  const way = age > 0 ? `${age} s ago` : `${-age} s ahead`
  return `${header} is right, but was signed ${way}, and ${tolerance} s are tolerated.`
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
