import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'

/**
 * Returns the numbers of attempts with a result and of failed attempts, and their median and maximum latency in
 * milliseconds, null without a request.
 */
export function computeDeliveryStatistics(deliveries: readonly WebhookDelivery[]) {
  const settled = deliveries.filter(isSettled)
  const durations = settled
    .map(({ duration_ms }) => duration_ms)
    .filter((duration) => duration !== null)
    .toSorted((a, b) => a - b)
  return {
    attempts: settled.length,
    failed: settled.filter(({ status }) => status === 'failed').length,
    medianMs: durations[Math.floor(durations.length / 2)] ?? null,
    slowestMs: durations.at(-1) ?? null,
  }
}

/**
 * Divides the time of the attempts into at most `count` equal parts, and returns the parts with attempts, oldest first.
 */
export function bucketDeliveries(deliveries: readonly WebhookDelivery[], count: number) {
  const settled = deliveries.filter(isSettled)
  const times = settled.map(({ created }) => created)
  const first = Math.min(...times)
  const seconds = Math.max(1, Math.ceil((Math.max(...times) - first + 1) / count))
  const byBucket = Map.groupBy(settled, ({ created }) => Math.floor((created - first) / seconds))
  return [...byBucket]
    .toSorted(([a], [b]) => a - b)
    .map(([bucket, own]) => ({ start: first + bucket * seconds, ...computeDeliveryStatistics(own) }))
}

function isSettled({ status }: WebhookDelivery): boolean {
  return status === 'succeeded' || status === 'failed'
}

/**
 * The end of the logarithmic latency axis, which begins at 1 ms. No latency exceeds it, because deliveries time out
 * after 15 s.
 */
export const MAX_LATENCY_MS = 30_000

/** Returns the height of a latency in the plot, 0 to 1. */
export function latencyPosition(milliseconds: number): number {
  const position = Math.log(Math.max(1, milliseconds)) / Math.log(MAX_LATENCY_MS)
  return Math.min(1, position)
}

/**
 * Returns the points of attempts by time and latency: 0 to 1 from left to right, and from the bottom to the top. An attempt
 * without a request is at the bottom.
 */
export function plotDeliveries(deliveries: readonly WebhookDelivery[]) {
  const settled = deliveries.filter(isSettled)
  const times = settled.map(({ created }) => created)
  const first = Math.min(...times)
  const range = Math.max(...times) - first
  return settled.map((delivery) => ({
    x: range === 0 ? 0.5 : (delivery.created - first) / range,
    y: latencyPosition(delivery.duration_ms ?? 0),
    delivery,
  }))
}
